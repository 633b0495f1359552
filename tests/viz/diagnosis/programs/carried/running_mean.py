# says_any = ["turn"]
# cure_any = ["avg.detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     avg = 0.9'''
# new = '''
#     avg = avg.detach()
#     avg = 0.9'''

w = T.ones(2, requires_grad=True)
avg = T.zeros(2)
for i in range(3):
    out = w.exp() * i
    avg = 0.9 * avg + 0.1 * out  # guilty
    loss = (out - avg).pow(2).sum()
    loss.backward()

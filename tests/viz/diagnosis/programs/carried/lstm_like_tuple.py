# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     out, state'''
# new = '''
#     state = tuple(each.detach() for each in state)
#     out, state'''

enc = T.nn.Linear(2, 2)
def cell(x, state):
    h, c = state
    c = T.sigmoid(enc(x)) * c + T.tanh(h)
    h = T.tanh(c)
    return h, (h, c)
state = (T.ones(1, 2), T.ones(1, 2))
for step in range(3):
    out, state = cell(T.ones(1, 2), state)  # guilty
    loss = out.pow(2).sum()
    loss.backward()

# subject = "Calls that autograd refuses"
# says_any = ["w.grad is none"]
# cure_any = ["if w.grad is not none", "after backward"]
# [repair]
# old = '''
#     w.grad.zero_()'''
# new = '''
#     if w.grad is not None:
#         w.grad.zero_()'''

w = T.ones(3, requires_grad=True)
for i in range(2):
    w.grad.zero_()  # guilty
    loss = (w * w).sum()
    loss.backward()

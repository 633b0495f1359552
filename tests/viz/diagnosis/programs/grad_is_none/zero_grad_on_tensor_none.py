# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["none"]
# cure_any = ["is not none", "after", "first"]
# [repair]
# old = '''
#     w.grad.zero_()'''
# new = '''
#     if w.grad is not None:
#         w.grad.zero_()'''

w = T.ones(2, requires_grad=True)
for i in range(2):
    w.grad.zero_()  # guilty
    loss = (w * 2).sum()
    loss.backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shape"]
# cure_any = ["[3]"]

w = T.ones(3, requires_grad=True)
loss = (w * 2).sum()
loss.backward()
w.grad = w.grad.sum()  # guilty

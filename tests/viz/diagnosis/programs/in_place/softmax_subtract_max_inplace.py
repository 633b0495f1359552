# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["clone", "after backward"]

w = T.randn(2, 3, requires_grad=True)
z = w * 2
e = z.exp()
e -= e.max()  # guilty
loss = e.sum()
loss.backward()

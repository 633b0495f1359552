# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["hook"]
# cure_any = ["shape"]

x = T.ones(3, requires_grad=True)
y = x * 2
y.register_hook(lambda g: g.sum())  # guilty
y.sum().backward()

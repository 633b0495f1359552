# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["one number"]
# cure_any = ["sum()"]

x = T.randn(4, requires_grad=True)
y = x ** 2
dy = T.autograd.grad(y, x)[0]  # guilty

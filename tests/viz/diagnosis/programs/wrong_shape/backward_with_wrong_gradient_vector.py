# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shape"]
# cure_any = ["ones_like(out)"]

W = T.randn(3, 2, requires_grad=True)
out = T.ones(4, 3) @ W
out.backward(T.ones(4))  # guilty

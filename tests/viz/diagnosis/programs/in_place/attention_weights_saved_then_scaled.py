# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["write `a = a * 0.5`"]

q = T.randn(2, 4, requires_grad=True)
k = T.randn(2, 4)
a = T.softmax(q @ k.T, -1)
a *= 0.5  # guilty
loss = a.pow(2).sum()
loss.backward()

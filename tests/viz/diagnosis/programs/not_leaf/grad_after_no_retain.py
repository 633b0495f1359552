# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(h)"
# says_any = ["not a leaf"]
# cure_any = ["retain_grad()"]

x = T.ones(2, requires_grad=True)
h = x * 3  # guilty
loss = (h ** 2).sum()
loss.backward()

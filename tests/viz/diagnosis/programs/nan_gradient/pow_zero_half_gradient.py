# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["pow"]

x = T.tensor([0.0, 1.0], requires_grad=True)
y = x ** 0.5  # guilty
loss = y.sum()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["where"]

a = T.tensor([[1.0, 1.0], [2.0, 0.0]], requires_grad=True)
d2 = (a[:, 0] - a[:, 1]).pow(2)
dist = T.where(d2 == 0, T.zeros(2), d2.sqrt())  # guilty
loss = dist.sum()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["inf"]

a = T.zeros(3, requires_grad=True)
dist = (a - T.zeros(3)).pow(2).sum().sqrt()  # guilty
loss = dist + 1

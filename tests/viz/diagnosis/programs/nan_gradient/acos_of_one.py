# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["acos"]

a = T.tensor([1.0, 0.0], requires_grad=True)
b = T.tensor([1.0, 0.0])
cos = (a * b).sum()
angle = T.acos(cos)  # guilty
loss = angle

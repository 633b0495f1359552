# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan"]

x = T.tensor([1.0, 2.0], requires_grad=True)
mask = T.tensor([0.0, 0.0])
loss = (x * mask).sum() / mask.sum()  # guilty

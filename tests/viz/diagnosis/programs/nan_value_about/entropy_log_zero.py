# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan"]

p = T.tensor([0.0, 1.0], requires_grad=True)
loss = -(p * T.log(p)).sum()  # guilty

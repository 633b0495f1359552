# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan"]

rate = T.tensor(-0.5, requires_grad=True)
ll = T.log(rate) - rate  # guilty
loss = -ll

# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["sqrt"]

x = T.ones(4, requires_grad=True)
std = (x - x.mean()).pow(2).mean().sqrt()  # guilty
loss = 1 - std

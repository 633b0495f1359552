# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan"]

x = T.zeros(2, 3, requires_grad=True)
n = x / x.pow(2).sum(1, keepdim=True).sqrt()  # guilty
loss = (n @ n.T).sum()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan", "inf"]

w = T.tensor([100.0, 1.0], requires_grad=True)
e = T.exp(w)  # guilty
p = e / e.sum()
loss = p.pow(2).sum()

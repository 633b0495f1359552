# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["inf"]

w = T.tensor(200.0, requires_grad=True)
p = T.sigmoid(w)
nll = -T.log(1 - p)  # guilty
loss = nll + 0.0

# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["inf"]

logits = T.tensor([0.0, 200.0], requires_grad=True)
p = T.softmax(logits, 0)
loss = -T.log(p[0])  # guilty

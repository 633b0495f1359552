# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["sqrt"]

pts = T.zeros(3, 2, requires_grad=True)
diff = pts.unsqueeze(0) - pts.unsqueeze(1)
dist = (diff ** 2).sum(-1).sqrt()  # guilty
loss = dist.sum()

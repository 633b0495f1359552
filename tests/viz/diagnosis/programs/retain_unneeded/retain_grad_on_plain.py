# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["does not require grad"]
# cure_any = ["requires_grad_()"]

feats = T.randn(3, 2)  # guilty
feats.retain_grad()
loss = feats.sum()

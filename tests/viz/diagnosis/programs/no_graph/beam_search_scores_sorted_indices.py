# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

lm = T.nn.Linear(3, 5)
h = T.randn(2, 3)
logp = T.log_softmax(lm(h), -1)
best = T.topk(logp, 2)[1]  # guilty
loss = -best.float().mean()
loss.backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

logits = T.zeros(2, 3, requires_grad=True)
u = T.rand(2, 3)
g = -T.log(-T.log(u + 1e-9) + 1e-9)
y = T.softmax((logits + g) / 0.5, -1)
idx = y.max(-1, keepdim=True)[1]  # guilty
hard = (idx == T.arange(3)).float()
loss = (hard * T.arange(3.0)).sum()
loss.backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["argmax", "indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

steps = [T.nn.Linear(3, 4), T.relu, lambda h: h.argmax(1)]  # guilty
x = T.randn(2, 3)
for s in steps:
    x = s(x)
loss = x.float().mean()
loss.backward()

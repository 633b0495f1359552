# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["float()"]
# cure_any = ["leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.tensor([1.0, -1.0], requires_grad=True)
margins = 1 - (w * T.tensor([0.5, 2.0]))
total = 0.0
for m in margins:
    total += max(0.0, float(m))  # guilty
loss = T.tensor(total)
loss.backward()

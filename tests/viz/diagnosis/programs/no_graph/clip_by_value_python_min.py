# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.tensor(3.0, requires_grad=True)
y = w * 2
loss = T.tensor(min(y.item(), 1.0))  # guilty
loss.backward()

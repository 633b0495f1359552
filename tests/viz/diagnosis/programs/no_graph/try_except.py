# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
try:
    value = (w * w).sum().item()  # guilty
except ValueError:
    value = 0.0
loss = T.tensor(value)
loss.backward()

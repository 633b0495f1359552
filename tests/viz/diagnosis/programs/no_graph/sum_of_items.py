# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(3, requires_grad=True)
total = 0
for i in range(3):
    total += (w[i] ** 2).item()  # guilty
loss = T.tensor(total)
loss.backward()

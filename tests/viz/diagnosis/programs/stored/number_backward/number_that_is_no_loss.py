# subject = "Refused calls"

loss = (x * w).sum().item()
loss.backward()

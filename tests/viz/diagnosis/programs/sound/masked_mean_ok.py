x = T.tensor([1.0, 2.0], requires_grad=True)
mask = T.tensor([0.0, 1.0])
loss = (x * mask).sum() / mask.sum().clamp(min=1)
loss.backward()

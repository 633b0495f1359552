w = T.randn(5, requires_grad=True)
mask = (w.abs() > 0.5).float()
loss = (w * mask).pow(2).sum()
loss.backward()

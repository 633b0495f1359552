w = T.tensor([-1.0, 2.0], requires_grad=True)
mask = (w > 0).float()
loss = (w * mask).sum()
loss.backward()

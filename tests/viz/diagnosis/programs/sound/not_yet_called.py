w = T.ones(3, requires_grad=True)
loss = (w * w).sum()

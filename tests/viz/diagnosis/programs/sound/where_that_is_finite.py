x = T.tensor([0.5, 1.0], requires_grad=True)
loss = T.where(x > 0.7, x.sqrt(), x * 2).sum()

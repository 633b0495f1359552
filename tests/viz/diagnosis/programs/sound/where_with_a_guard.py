x = T.tensor([0.0, 1.0], requires_grad=True)
safe = T.where(x > 0, x, T.ones(2))
y = T.where(x > 0, safe.sqrt(), T.zeros(2))
loss = y.sum()

x = T.ones(3, requires_grad=True)
y = x * 2
y.add_(1)
loss = y.sum()
loss.backward()

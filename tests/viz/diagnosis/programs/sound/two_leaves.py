a = T.ones(3, requires_grad=True)
b = T.ones(3, requires_grad=True)
loss = (a * b).sum()
loss.backward()

x = T.zeros(3, requires_grad=True)
loss = (x * x).sum()
loss.backward()

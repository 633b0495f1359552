x = T.ones(3, requires_grad=True)
y = x + 1
y *= 2
y.relu_()
loss = y.sum()
loss.backward()

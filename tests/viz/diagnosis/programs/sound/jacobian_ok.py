x = T.randn(3, requires_grad=True)
y = T.tanh(x * 2)
rows = [T.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(3)]
loss = y.sum()
loss.backward()

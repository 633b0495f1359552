x = T.tensor(2.0, requires_grad=True)
y = x ** 3
g, = T.autograd.grad(y, x, create_graph=True)
loss = g ** 2
loss.backward()

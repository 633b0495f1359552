w = T.randn(2, 1, requires_grad=True)
x, y = T.randn(6, 2), T.randn(6, 1)
inner = (x @ w - y).pow(2).mean()
g, = T.autograd.grad(inner, [w], create_graph=True)
fast = w - 0.1 * g
loss = (x @ fast - y).pow(2).mean()
loss.backward()

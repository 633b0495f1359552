w = T.ones(2, requires_grad=True)
v = T.zeros(2)
for i in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    with T.no_grad():
        v = 0.9 * v + w.grad
        w -= 0.1 * v
    w.grad = None
loss = (w ** 2).sum()
loss.backward()

X, y = T.randn(10, 2), T.randn(10)
w = T.zeros(2, requires_grad=True)
for epoch in range(3):
    loss = (X @ w - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()

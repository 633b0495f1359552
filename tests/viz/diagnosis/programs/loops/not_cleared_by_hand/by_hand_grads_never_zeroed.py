# says_all = []

w = T.randn(4, 1, requires_grad=True)
b = T.zeros(1, requires_grad=True)
with viz.diagnose() as report:
    for epoch in range(5):
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.01 * w.grad
            b -= 0.01 * b.grad

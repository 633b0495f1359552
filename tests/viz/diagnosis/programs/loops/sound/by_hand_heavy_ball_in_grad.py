w = T.randn(4, 1, requires_grad=True)
with viz.diagnose() as report:
    for i in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.01 * w.grad
            w.grad *= 0.9

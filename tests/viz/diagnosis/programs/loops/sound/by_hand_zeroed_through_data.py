w = T.randn(4, 1, requires_grad=True)

with viz.diagnose() as report:
    for i in range(4):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        w.data -= 0.1 * w.grad.data
        w.grad.data.zero_()

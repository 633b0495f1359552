w = T.zeros(4, 1, requires_grad=True)
v = T.zeros(4, 1)
with viz.diagnose() as report:
    for i in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with T.no_grad():
            v = 0.9 * v + w.grad
            w -= 0.01 * v
            w.grad.zero_()

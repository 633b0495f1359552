# subject = "Measured answers"

x, y = T.randn(8), T.randn(8)
p = T.randn(1, requires_grad=True)
with viz.diagnose() as report:
    for i in range(4):
        loss = (p * x - y).pow(2).mean()
        loss.backward()
        p = (p - 0.1 * p.grad).detach().requires_grad_()

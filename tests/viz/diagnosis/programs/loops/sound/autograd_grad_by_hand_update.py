w1 = (0.3 * T.randn(4, 8)).requires_grad_()
w2 = (0.3 * T.randn(8, 1)).requires_grad_()
with viz.diagnose() as report:
    for i in range(4):
        loss = (F.relu(x @ w1) @ w2 - y).pow(2).mean()
        g1, g2 = T.autograd.grad(loss, (w1, w2))
        with T.no_grad():
            w1 -= 0.1 * g1
            w2 -= 0.1 * g2

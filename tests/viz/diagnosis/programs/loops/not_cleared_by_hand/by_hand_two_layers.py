# says_all = ["W1"]

W1 = (0.1 * T.randn(4, 8)).requires_grad_()
W2 = (0.1 * T.randn(8, 1)).requires_grad_()
lr = 0.05
with viz.diagnose() as report:
    for epoch in range(4):
        h = (x @ W1).clamp(min=0)
        loss = (h @ W2 - y).pow(2).sum()
        loss.backward()
        with T.no_grad():
            W1 -= lr * W1.grad
            W2 -= lr * W2.grad

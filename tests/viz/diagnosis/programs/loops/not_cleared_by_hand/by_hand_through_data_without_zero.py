# says_all = ["w"]

w = T.randn(4, 1, requires_grad=True)
with viz.diagnose() as report:
    for epoch in range(5):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        w.data -= 0.01 * w.grad.data

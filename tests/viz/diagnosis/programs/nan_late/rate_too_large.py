# subject = "Measured answers"
# says_any = ["earlier iteration"]
# cure_any = ["smaller learning rate"]
# ask = "viz.explain(loss)"

W = T.randn(3, 1, requires_grad=True)
x, y = 50 * T.randn(8, 3), T.randn(8, 1)
for i in range(60):
    loss = (x @ W - y).pow(2).mean()
    loss.backward()
    with T.no_grad():
        W -= 0.1 * W.grad  # guilty
    W.grad = None

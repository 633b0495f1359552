# says_all = ["LogBackward0", "binary_cross_entropy_with_logits"]

W = T.randn(3, 1, requires_grad=True)
x, y = T.randn(8, 3), T.ones(8, 1)
with viz.diagnose() as report:
  for i in range(60):
    p = T.sigmoid(x @ W * 200)
    loss = -(y * T.log(p) + (1 - y) * T.log(1 - p)).mean()
    loss.backward()
    with T.no_grad():
        W -= 0.5 * W.grad
    W.grad = None

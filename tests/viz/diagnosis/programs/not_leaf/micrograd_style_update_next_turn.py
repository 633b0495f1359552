# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["result", "not a leaf", "none"]
# cure_any = ["no_grad", "in place"]

W = T.randn(3, 3, requires_grad=True)
xs = T.eye(3)
for k in range(3):
    logits = xs @ W
    loss = -T.log_softmax(logits, 1)[:, 0].mean()
    loss.backward()
    W = W - 0.1 * W.grad  # guilty
    W.grad = None

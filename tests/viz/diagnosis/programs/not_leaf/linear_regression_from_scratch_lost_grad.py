# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["not a leaf"]
# cure_any = ["w -= 0.1 * w.grad"]

X, y = T.randn(10, 2), T.randn(10)
w = T.zeros(2, requires_grad=True)
b = T.zeros(1, requires_grad=True)
for epoch in range(3):
    loss = (X @ w + b - y).pow(2).mean()
    loss.backward()
    w = w - 0.1 * w.grad  # guilty
    b = b - 0.1 * b.grad

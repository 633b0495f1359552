w = T.ones(2, requires_grad=True)
for step in range(3):
    loss = (w * w).sum()
    loss.backward()
    with T.no_grad():
        w -= 0.1 * w.grad
        w.grad = None

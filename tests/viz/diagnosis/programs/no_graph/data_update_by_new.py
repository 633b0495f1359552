# says_any = [".data", "new tensor"]

w = T.ones(2, requires_grad=True)
for i in range(2):
    loss = (w * w).sum()
    loss.backward()
    w = w.data - 0.1 * w.grad.data  # guilty

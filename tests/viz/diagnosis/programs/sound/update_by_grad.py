w = T.ones(2, requires_grad=True)
for step in range(3):
    loss = (w * w).sum()
    (g,) = T.autograd.grad(loss, w)
    w = (w - 0.1 * g).detach().requires_grad_()

a = T.ones(3, requires_grad=True)
b = T.ones(3, requires_grad=True)
loss = (a * 2).sum()
grads = T.autograd.grad(loss, [a, b], allow_unused=True)

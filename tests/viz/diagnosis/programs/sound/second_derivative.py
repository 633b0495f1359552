x = T.tensor(3.0, requires_grad=True)
y = x ** 3
(first,) = T.autograd.grad(y, x, create_graph=True)
(second,) = T.autograd.grad(first, x)

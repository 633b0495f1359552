x = T.ones(3, requires_grad=True)
y = x * 2
y.backward(T.ones(3))

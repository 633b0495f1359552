x = T.tensor(3.0, requires_grad=True)
y = x * x
y.backward()

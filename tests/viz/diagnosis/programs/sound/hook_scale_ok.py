x = T.ones(3, requires_grad=True)
y = x * 2
y.register_hook(lambda g: g * 0.5)
loss = y.sum()
loss.backward()

steps = [T.nn.Linear(3, 4), T.tanh, lambda h: h * 2, T.nn.Linear(4, 1)]
x = T.randn(2, 3)
for f in steps:
    x = f(x)
loss = x.mean()
loss.backward()

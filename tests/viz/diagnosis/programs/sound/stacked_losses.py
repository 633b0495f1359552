model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x, y = T.ones(5, 3), T.ones(5, 1)
losses = [(model(x * i) - y).pow(2).mean() for i in range(3)]
loss = T.stack(losses).mean()
loss.backward()

model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x, y = T.ones(5, 3), T.ones(5, 1)
teacher = T.nn.Linear(3, 1)
with T.no_grad():
    target = teacher(x)
loss = (model(x) - target).pow(2).mean()
loss.backward()

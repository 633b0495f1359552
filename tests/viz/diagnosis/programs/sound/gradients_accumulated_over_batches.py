model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x, y = T.ones(5, 3), T.ones(5, 1)
for step in range(4):
    loss = (model(x) - y).pow(2).mean() / 2
    loss.backward()
    if (step + 1) % 2 == 0:
        optimizer.step()
        optimizer.zero_grad()

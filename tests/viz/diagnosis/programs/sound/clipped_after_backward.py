model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x, y = T.ones(5, 3), T.ones(5, 1)
for step in range(2):
    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    T.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    with T.no_grad():
        for p in model.parameters():
            p.clamp_(-0.5, 0.5)

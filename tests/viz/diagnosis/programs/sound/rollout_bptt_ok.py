f = T.nn.Linear(4, 3)
opt = T.optim.SGD(f.parameters(), lr=0.1)
for episode in range(2):
    s = T.zeros(1, 3)
    for t in range(3):
        s = T.tanh(f(T.cat([s, T.ones(1, 1)], -1)))
    loss = (s - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

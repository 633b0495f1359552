q, target = T.nn.Linear(3, 2), T.nn.Linear(3, 2)
target.load_state_dict(q.state_dict())
opt = T.optim.SGD(q.parameters(), lr=0.1)
for i in range(3):
    s, s2 = T.randn(4, 3), T.randn(4, 3)
    with T.no_grad():
        goal = 1.0 + 0.9 * target(s2).max(1)[0]
    value = q(s).gather(1, T.zeros(4, 1).long()).squeeze(1)
    loss = (value - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with T.no_grad():
        for a, b in zip(target.parameters(), q.parameters()):
            a.mul_(0.9).add_(0.1 * b)

net = T.nn.Linear(2, 1)
stats = []
for i in range(3):
    out = net(T.randn(4, 2))
    loss = out.pow(2).mean()
    net.zero_grad()
    loss.backward()
    with T.no_grad():
        stats.append((out.mean(), out.max()))
        for p in net.parameters():
            p -= 0.1 * p.grad

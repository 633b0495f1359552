net, ema = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
for p in ema.parameters():
    p.requires_grad_(False)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    loss = net(T.ones(1, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with T.no_grad():
        for e, p in zip(ema.parameters(), net.parameters()):
            e.copy_(0.9 * e + 0.1 * p)

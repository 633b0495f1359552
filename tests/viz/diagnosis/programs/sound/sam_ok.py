net = T.nn.Linear(2, 1)
x = T.ones(4, 2)
loss = net(x).pow(2).mean()
loss.backward()
old = [p.detach().clone() for p in net.parameters()]
with T.no_grad():
    for p in net.parameters():
        p.add_(0.05 * p.grad)
net.zero_grad()
loss = net(x).pow(2).mean()
loss.backward()
with T.no_grad():
    for p, o in zip(net.parameters(), old):
        p.copy_(o)
        p -= 0.1 * p.grad

# says_all = ["`loss = l`"]

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        l = (net(x) - y).pow(2).mean()
        loss = T.tensor(l.item(), requires_grad=True)
        loss.backward()
        opt.step()

# says_all = ["l2 was computed once, before the loop", "`l2 = net.weight.pow(2).sum()`"]

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
l2 = net.weight.pow(2).sum()
try:
    with viz.diagnose() as report:
        for i in range(4):
            opt.zero_grad()
            loss = (net(x) - y).pow(2).mean() + 0.01 * l2
            loss.backward()
            opt.step()
except RuntimeError:
    pass

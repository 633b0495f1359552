# says_all = ["`net.1` (Sigmoid)"]

net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Sigmoid(), T.nn.Linear(4, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = 1000 * T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(4):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()

# says_all = ["T.optim.SGD(net.parameters(), lr=0.1)"]

net = T.nn.Linear(3, 1)
other = T.nn.Linear(7, 7)
opt = T.optim.SGD(other.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(4):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()

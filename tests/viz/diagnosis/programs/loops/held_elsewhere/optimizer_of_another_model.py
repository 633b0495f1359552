# says_all = ["T.optim.SGD(make().parameters(), lr=0.1)"]

def make():
    return T.nn.Linear(3, 1)
net = make()
opt = T.optim.SGD(make().parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(4):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()

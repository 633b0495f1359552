# says_all = ["`net.train()`", "`net.eval()`"]

net = T.nn.Sequential(T.nn.Linear(3, 8), T.nn.Dropout(0.5), T.nn.Linear(8, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(8):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
        if i == 3:
            net.eval()

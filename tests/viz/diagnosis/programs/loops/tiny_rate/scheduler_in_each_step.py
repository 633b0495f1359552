# says_all = ["ExponentialLR"]

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
sched = T.optim.lr_scheduler.ExponentialLR(opt, gamma=1e-6)
x, y = T.randn(8, 3), T.randn(8, 1)
with viz.diagnose() as report:
    for i in range(6):
        loss = (net(x) - y).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
        sched.step()

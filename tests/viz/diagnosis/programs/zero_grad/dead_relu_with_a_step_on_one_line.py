# subject = "Measured answers"
# says_any = ["relu in"]
# cure_any = ["leakyrelu"]
# never = ["has been cleared"]
# ask = "viz.explain(net[0].weight)"

net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.ReLU(), T.nn.Linear(4, 1))
with T.no_grad(): net[0].bias.fill_(-1000.0)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(4):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()

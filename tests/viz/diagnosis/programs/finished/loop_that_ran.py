# subject = "Measured answers"
# says_any = ["`with viz.diagnose():`"]
# never = ["retain_graph", "cannot run"]
# ask = "viz.explain(loss)"

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
for i in range(5):  # guilty
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

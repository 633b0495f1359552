# says_all = ["`loss = crit(T.softmax(net(x), 1), y)`"]

net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.tensor([0, 1, 2, 3] * 2)
crit = T.nn.CrossEntropyLoss()
with viz.diagnose() as report:
    for i in range(4):
        loss = crit(T.softmax(net(x), 1), y)
        opt.zero_grad(); loss.backward(); opt.step()

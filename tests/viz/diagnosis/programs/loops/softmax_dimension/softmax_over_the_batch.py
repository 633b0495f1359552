# says_all = ["`dim=1`", "`probs = T.softmax(net(x), 0)`"]

net = T.nn.Linear(3, 4)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.tensor([0, 1, 2, 3] * 2)
with viz.diagnose() as report:
    for i in range(4):
        probs = T.softmax(net(x), 0)
        loss = -T.log(probs[T.arange(8), y]).mean()
        opt.zero_grad(); loss.backward(); opt.step()

# says_all = ["`y.unsqueeze(1)`", "[8, 8]"]

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8)
with viz.diagnose() as report:
    for i in range(4):
        loss = T.nn.functional.mse_loss(net(x), y)
        opt.zero_grad(); loss.backward(); opt.step()

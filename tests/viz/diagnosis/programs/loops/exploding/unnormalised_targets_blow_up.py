# says_all = []

house = T.randn(16, 4) * 1000
price = T.randn(16, 1) * 100000.0
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = optim.SGD(net.parameters(), lr=0.01)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.mse_loss(net(house), price)
        opt.zero_grad()
        loss.backward()
        opt.step()

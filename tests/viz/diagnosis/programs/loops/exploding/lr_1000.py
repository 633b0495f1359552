# says_all = []

net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = optim.SGD(net.parameters(), lr=1000000.0)
with viz.diagnose() as report:
    for i in range(5):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()

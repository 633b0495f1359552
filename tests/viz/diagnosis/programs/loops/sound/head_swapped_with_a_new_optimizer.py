net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        if i == 1:
            net[2] = nn.Linear(8, 1)
            opt = optim.SGD(net.parameters(), lr=0.05)
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()

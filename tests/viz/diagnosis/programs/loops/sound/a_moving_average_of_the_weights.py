import copy
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
ema = copy.deepcopy(net)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        with T.no_grad():
            for slow, fast in zip(ema.parameters(), net.parameters()):
                slow.mul_(0.9).add_(fast, alpha=0.1)

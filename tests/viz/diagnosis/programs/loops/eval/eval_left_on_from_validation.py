# subject = "Modes"
# says_all = ["`net`", "train()"]
# example = true

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        net.eval()
        with T.no_grad():
            valid = F.mse_loss(net(x), y).item()

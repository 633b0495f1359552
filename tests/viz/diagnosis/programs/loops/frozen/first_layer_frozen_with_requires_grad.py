# subject = "Parameters and the optimizer"
# says_all = ["`net.0.weight`"]

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net[0].requires_grad_(False)
opt = optim.Adam(net.parameters())

with viz.diagnose() as report:
    for step in range(3):
        opt.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()

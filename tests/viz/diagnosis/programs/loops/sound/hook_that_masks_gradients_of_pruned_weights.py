net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
mask = (T.rand(8, 4) > 0.5).float()
net[0].weight.data.mul_(mask)
net[0].weight.register_hook(lambda g: g * mask)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

# says_all = []

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net[0].bias.data.fill_(-100.0)
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

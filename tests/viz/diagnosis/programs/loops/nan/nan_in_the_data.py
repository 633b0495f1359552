# says_all = []

x[3, 1] = float('nan')
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

# says_all = []

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    h = net[0](x)
    h.register_hook(lambda g: g * 0)
    F.mse_loss(net[2](F.relu(h)), y).backward()
    opt.step()

# subject = "Parameters and the optimizer"
# says_all = ["`opt = optim.SGD(net.parameters(), lr=0.1)`"]
# example = true

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    net.eval()
    bad = x.clone().requires_grad_()
    F.mse_loss(net(bad), y).backward()
    bad = (bad + 0.1 * bad.grad.sign()).detach()
    net.train()
    opt.zero_grad()
    F.mse_loss(net(bad), y).backward()
    opt.step()

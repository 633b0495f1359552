net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y) * 1e5
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()

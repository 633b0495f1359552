# subject = "Sizes of gradients"
# says_all = ["`net.1` (ReLU)"]
# example = true

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
with T.no_grad():
    net[0].bias.fill_(-100.0)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()

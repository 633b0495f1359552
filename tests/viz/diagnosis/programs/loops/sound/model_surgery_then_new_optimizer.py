net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
opt = optim.SGD(net.parameters(), lr=0.1)
F.cross_entropy(net(x), classes).backward()
opt.step()
opt.zero_grad()
net[2] = nn.Linear(8, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()

body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU())
net = nn.Sequential(body, nn.Flatten(), nn.Linear(64, 3))
opt = optim.SGD(net.parameters(), lr=0.1)
images = T.randn(16, 1, 6, 6)

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(images), classes)
    loss.backward()
    opt.step()

nn, F, optim = T.nn, T.nn.functional, T.optim


class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
        self.head = nn.Linear(4, 2)

    def train(self, mode=True):
        super().train(mode)
        self.body.eval()
        return self

    def forward(self, x):
        with T.no_grad():
            seen = self.body(x)
        return self.head(seen)


net = Probe()
for w in net.body.parameters():
    w.requires_grad_(False)
opt = optim.SGD(net.head.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.arange(8) % 2
net.train()
for i in range(4):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
right = (net(x).argmax(1) == y).float().mean()

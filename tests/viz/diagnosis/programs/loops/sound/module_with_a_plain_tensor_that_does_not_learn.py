class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)
        self.scale = T.ones(3)
        self.stats = []

    def forward(self, x):
        out = self.lin(x) * self.scale
        self.stats.append(out.detach().mean())
        return out
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()

# subject = "A history that is cut"
# says_all = ["`net.embed.weight`", "`@T.no_grad()`"]

class Embed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(T.randn(4, 8))

    @T.no_grad()
    def forward(self, x):
        return x @ self.weight

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embed()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.embed(x))

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()

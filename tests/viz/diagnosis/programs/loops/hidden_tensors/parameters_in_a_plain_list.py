# says_all = ["self.scales[0]"]

class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.scales = [nn.Parameter(T.ones(1)) for _ in range(2)]

    def forward(self, x):
        return self.lin(x) * self.scales[0] + self.scales[1]
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

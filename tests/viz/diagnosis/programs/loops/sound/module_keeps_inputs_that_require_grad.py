class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.seen = None

    def forward(self, x):
        self.seen = x.detach().requires_grad_()
        return self.lin(self.seen)
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
    return net.seen.grad

class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
        self.offset = T.zeros(1, requires_grad=True)

    def forward(self, x):
        return self.lin(x) + self.offset
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
        net.offset.data.sub_(0.01 * net.offset.grad)
        net.offset.grad = None

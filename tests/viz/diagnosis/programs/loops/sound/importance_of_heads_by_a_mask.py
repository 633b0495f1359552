class Masked(nn.Module):

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 8)
        self.o = nn.Linear(8, 1)
        self.mask = T.ones(8, requires_grad=True)

    def forward(self, x):
        return self.o(T.relu(self.l(x)) * self.mask)
net = Masked()
opt = optim.SGD(net.parameters(), lr=0.1)
importance = T.zeros(8)
with viz.diagnose() as report:
    for i in range(4):
        net.mask.grad = None
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
        importance += net.mask.grad.abs()

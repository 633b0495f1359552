# subject = "Parameters and the optimizer"
# says_all = ["`net.scale`"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 1)
        self.scale = nn.Parameter(T.ones(1))

    def forward(self, x):
        return self.scale * self.linear(x)

net = Net()
opt = optim.SGD([net.linear.weight, net.linear.bias], lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()

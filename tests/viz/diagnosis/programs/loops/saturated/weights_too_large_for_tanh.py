# subject = "a hidden tanh after weights of a thousand"
# says_all = ["of its results", "smaller weights"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.act, self.last = nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)

    def forward(self, x):
        return self.last(self.act(self.first(x)))

net = Net()
nn.init.normal_(net.first.weight, std=100.0)
opt = optim.SGD(net.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

# subject = "Parameters and the optimizer"
# says_all = ["`net.body.weight`"]
# example = true

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(T.relu(self.body(x)))

net = Net()
opt = optim.SGD(net.head.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()

# subject = "Parameters and the optimizer"
# says_all = ["`self.branches['a']`"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = {"a": nn.Linear(4, 8), "b": nn.Linear(4, 8)}
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(T.tanh(self.branches["a"](x) + self.branches["b"](x)))

net = Net()
opt = optim.Adam(net.parameters())

def train_step():
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()

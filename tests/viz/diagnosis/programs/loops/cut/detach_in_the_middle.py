# subject = "A history that is cut"
# says_all = ["`net.encoder.weight`", "`code = self.encoder(x).detach()`"]
# example = true

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        code = self.encoder(x).detach()
        return self.head(T.tanh(code))

net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()

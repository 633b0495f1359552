# says_all = ["gate"]

class Gated(nn.Module):

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 8)
        self.lin = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        g = (T.sigmoid(self.gate(x)) > 0.5).float()
        return self.out(g * self.lin(x))
net = Gated()
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

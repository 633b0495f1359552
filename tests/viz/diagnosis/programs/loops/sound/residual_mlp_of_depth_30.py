class R(nn.Module):

    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))

    def forward(self, x):
        return x + self.f(x)
net = nn.Sequential(nn.Linear(4, 8), *[R() for _ in range(30)], nn.Linear(8, 1))
opt = optim.Adam(net.parameters(), lr=0.001)

def train_step():
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()

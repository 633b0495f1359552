# also = ["frozen"]
# says_all = ["A"]

class LoRA(nn.Module):

    def __init__(self, base, r=2):
        super().__init__()
        self.base = base
        base.requires_grad_(False)
        self.A = nn.Parameter(T.randn(4, r) * 0.1)
        self.B = nn.Parameter(T.randn(r, 3) * 0.1)

    def forward(self, x):
        return self.base(x) + x @ self.A @ self.B
net = LoRA(nn.Linear(4, 3))
opt = optim.SGD(net.base.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()

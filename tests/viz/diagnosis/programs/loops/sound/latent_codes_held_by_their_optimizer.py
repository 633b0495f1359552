class Dec(nn.Module):

    def __init__(self):
        super().__init__()
        self.codes = [T.zeros(2, requires_grad=True) for _ in range(2)]
        self.lin = nn.Linear(2, 4)

    def forward(self):
        return T.stack([self.lin(c) for c in self.codes])
net = Dec()
opt = optim.Adam([*net.parameters(), *net.codes], lr=0.01)

def train_step():
    opt.zero_grad()
    (net() - 1).pow(2).mean().backward()
    opt.step()

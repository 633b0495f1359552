# library = "torch"

class Poly(nn.Module):

    def __init__(self):
        super().__init__()
        self.c = nn.ParameterList([nn.Parameter(T.randn(())) for _ in range(4)])

    def forward(self, x):
        return sum((c * x ** i for i, c in enumerate(self.c)))
m = Poly()
opt = optim.Adam(m.parameters(), lr=0.01)

def train_step():
    opt.zero_grad()
    (m(y) - y.sin()).pow(2).mean().backward()
    opt.step()

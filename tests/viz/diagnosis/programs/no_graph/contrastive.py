# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Proj(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.f = T.nn.Sequential(T.nn.Linear(4, 4), T.nn.ReLU(), T.nn.Linear(4, 2))
    def forward(self, x):
        z = self.f(x)
        return z / z.detach().norm()

def nce(a, b):
    sim = a @ b.t()
    ranks = sim.argsort(1)  # guilty
    return ranks.float().diagonal().mean()

p = Proj()
opt = T.optim.SGD(p.parameters(), lr=0.1)
for i in range(2):
    a, b = p(T.randn(3, 4)), p(T.randn(3, 4))
    loss = nce(a, b)
    opt.zero_grad()
    loss.backward()
    opt.step()

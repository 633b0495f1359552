# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

def load(path=None):
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh())
    for p in net.parameters():
        p.requires_grad = False  # guilty
    return net
class Clf(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = load()
        self.scale = 2.0
    def forward(self, x):
        return self.scale * self.enc(x)
net = Clf()
loss = net(T.ones(1, 2)).sum()
loss.backward()

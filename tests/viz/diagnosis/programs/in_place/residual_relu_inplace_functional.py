# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["write `h = h + x"]

class Block(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = T.nn.Linear(3, 3), T.nn.Linear(3, 3)
    def forward(self, x):
        h = T.tanh(self.a(x))
        h += x  # guilty
        return self.b(h)
net = T.nn.Sequential(T.nn.Linear(2, 3), Block(), Block())
loss = net(T.randn(4, 2)).pow(2).mean()
loss.backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["clone"]

class FF(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = T.nn.Linear(3, 3), T.nn.Linear(3, 3)
    def forward(self, x):
        y = T.sigmoid(self.a(x))
        y += self.b(y)  # guilty
        return y
net = FF()
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(T.ones(2, 3)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["none"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.used = T.nn.Linear(2, 2)
        self.aux = T.nn.Linear(2, 2)  # guilty
    def forward(self, x):
        return self.used(x)
net = Net()
loss = net(T.ones(1, 2)).sum()
loss.backward()
total = 0
for p in net.parameters():
    total += p.grad.norm() ** 2

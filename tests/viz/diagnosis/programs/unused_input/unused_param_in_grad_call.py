# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["net.b.weight"]
# cure_any = ["allow_unused"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
    def forward(self, x):
        return self.a(x)
net = Net()
loss = net(T.ones(1, 2)).sum()
grads = T.autograd.grad(loss, list(net.parameters()))  # guilty

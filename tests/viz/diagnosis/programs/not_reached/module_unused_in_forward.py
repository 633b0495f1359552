# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.b.weight, loss)"
# says_any = ["does not lead to net.b.weight"]
# cure_any = ["does forward use it"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Linear(2, 2)
        self.b = T.nn.Linear(2, 2)  # guilty
    def forward(self, x):
        return self.a(self.a(x))
net = Net()
loss = net(T.ones(1, 2)).sum()
loss.backward()

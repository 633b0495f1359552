# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.body.weight, loss)"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = T.nn.Linear(2, 3)
        self.h1, self.h2 = T.nn.Linear(3, 1), T.nn.Linear(3, 1)
    def forward(self, x):
        z = T.relu(self.body(x)).detach()  # guilty
        return self.h1(z), self.h2(z)
net = Net()
a, b = net(T.ones(2, 2))
loss = a.mean() + b.mean()
loss.backward()

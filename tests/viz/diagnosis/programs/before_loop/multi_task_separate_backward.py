# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shares", "same part", "earlier"]
# cure_any = ["sum", "once", "together", "retain_graph=true"]

class Shared(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = T.nn.Linear(3, 4)
        self.a, self.b = T.nn.Linear(4, 1), T.nn.Linear(4, 2)
    def forward(self, x):
        h = T.relu(self.trunk(x))  # guilty
        return {"a": self.a(h), "b": self.b(h)}

net = Shared()
opt = T.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    outs = net(T.randn(5, 3))  # guilty
    losses = {k: v.pow(2).mean() for k, v in outs.items()}
    opt.zero_grad()
    for name in losses:
        losses[name].backward()
    opt.step()

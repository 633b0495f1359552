# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["python"]
# cure_any = ["moduledict"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {"in": T.nn.Linear(2, 3), "out": T.nn.Linear(3, 1)}  # guilty
    def forward(self, x):
        return self.layers["out"](T.relu(self.layers["in"](x)))
net = Net()
opt = T.optim.Adam(net.parameters())

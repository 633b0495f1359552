# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["python", "dict"]
# cure_any = ["moduledict"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {"in": T.nn.Linear(2, 2), "out": T.nn.Linear(2, 1)}  # guilty
    def forward(self, x):
        return self.layers["out"](T.relu(self.layers["in"](x)))
net = Net()
opt = T.optim.Adam(net.parameters(), lr=0.1)

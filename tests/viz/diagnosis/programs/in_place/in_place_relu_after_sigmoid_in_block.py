# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["changed"]
# cure_any = ["gate * 0.5", "gate.mul(0.5)", "clone", "out of place", "without", "copy"]

class Block(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = T.nn.Linear(3, 3)
    def forward(self, x):
        gate = T.sigmoid(self.lin(x))
        x = gate * x
        gate.mul_(0.5)  # guilty
        return x + gate
net = Block()
loss = net(T.ones(2, 3)).sum()
loss.backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["none"]
# cure_any = ["return"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 1)
    def forward(self, x):
        y = self.l(x)  # guilty
net = Net()
loss = net(T.ones(1, 2))
loss.backward()

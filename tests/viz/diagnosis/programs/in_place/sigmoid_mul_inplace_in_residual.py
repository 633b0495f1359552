# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["write `s = s.mul(x)"]

class SE(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(4, 4)
    def forward(self, x):
        s = T.sigmoid(self.fc(x))
        s.mul_(x)  # guilty
        return x + s

net = T.nn.Sequential(T.nn.Linear(2, 4), SE(), T.nn.Linear(4, 1))
loss = net(T.ones(3, 2)).mean()
loss.backward()

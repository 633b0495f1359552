# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = T.nn.Linear(2, 3)
        self.head = T.nn.Linear(3, 1)
    def freeze(self):
        for p in self.parameters():
            p.requires_grad = False  # guilty
    def forward(self, x):
        return self.head(T.relu(self.backbone(x)))
net = Net()
net.freeze()
loss = net(T.ones(2, 2)).mean()
loss.backward()

# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["frozen"]
# cure_any = ["requires_grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Base(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = T.nn.Linear(2, 2)
        for p in self.parameters():
            p.requires_grad = False  # guilty
class Child(Base):
    def forward(self, x):
        return self.fc(x)
net = Child()
loss = net(T.ones(1, 2)).sum()
loss.backward()

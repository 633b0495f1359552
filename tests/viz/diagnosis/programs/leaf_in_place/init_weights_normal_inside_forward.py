# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

class Noisy(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = T.nn.Parameter(T.ones(3))
    def forward(self, x):
        self.w.normal_(1.0, 0.01)  # guilty
        return (self.w * x).sum()
net = Noisy()
loss = net(T.ones(3))
loss.backward()

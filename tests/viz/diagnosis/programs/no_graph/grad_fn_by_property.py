# says_any = ["detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = T.nn.Parameter(T.ones(2))
    @property
    def scale(self):
        return self.raw.exp().detach()  # guilty
    def forward(self, x):
        return (x * self.scale).sum()
n = Net()
n(T.ones(2)).backward()

# subject = "Modules, helpers, decorators, hooks, caches and states"
# library = "torch"
# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Quant(T.nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
    def forward(self, x):
        idx = T.searchsorted(self.levels, x)  # guilty
        return self.levels[idx]

net = T.nn.Sequential(T.nn.Linear(3, 3), Quant(T.linspace(-1, 1, 5)))
out = net(T.randn(2, 3))
loss = out.pow(2).mean()
loss.backward()

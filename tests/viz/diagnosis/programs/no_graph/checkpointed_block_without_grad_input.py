# subject = "Modules, helpers, decorators, hooks, caches and states"
# library = "torch"
# says_any = ["checkpoint"]
# cure_any = ["use_reentrant=false"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

from torch.utils.checkpoint import checkpoint

class Block(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = T.nn.Linear(2, 2)
    def forward(self, x):
        return T.relu(self.lin(x))

blocks = T.nn.ModuleList([Block() for _ in range(2)])
x = T.randn(1, 2)
for b in blocks:
    x = checkpoint(b, x, use_reentrant=True)  # guilty
loss = x.sum()
loss.backward()

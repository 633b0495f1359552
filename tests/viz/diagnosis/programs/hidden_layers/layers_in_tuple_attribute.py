# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["python"]
# cure_any = ["modulelist"]

class MLP(T.nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.blocks = tuple(T.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))  # guilty
    def forward(self, x):
        for b in self.blocks:
            x = T.relu(b(x))
        return x
model = MLP([2, 3, 1])
opt = T.optim.SGD(model.parameters(), lr=0.1)

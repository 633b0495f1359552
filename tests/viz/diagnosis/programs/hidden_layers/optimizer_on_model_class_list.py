# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["python list"]
# cure_any = ["modulelist"]

class Ens(T.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.members = []  # guilty
        for i in range(n):
            self.members.append(T.nn.Linear(2, 1))
    def forward(self, x):
        return sum(m(x) for m in self.members)
ens = Ens(2)
opt = T.optim.Adam(ens.parameters(), lr=0.1)

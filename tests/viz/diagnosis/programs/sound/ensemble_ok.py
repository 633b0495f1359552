class Ens(T.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.members = T.nn.ModuleList([T.nn.Linear(2, 1) for _ in range(n)])
    def forward(self, x):
        return sum(m(x) for m in self.members)
ens = Ens(2)
loss = ens(T.ones(1, 2)).sum()
loss.backward()

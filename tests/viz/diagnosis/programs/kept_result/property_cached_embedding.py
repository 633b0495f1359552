# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["earlier"]
# cure_any = ["detach", "each turn", "anew"]
# never = ["loss.requires_grad_()"]

class Graph:
    def __init__(self, n):
        self.table = T.randn(n, 2, requires_grad=True)
        self._norm = None
    @property
    def normed(self):
        if self._norm is None:
            self._norm = self.table / self.table.norm()  # guilty
        return self._norm

g = Graph(3)
opt = T.optim.SGD([g.table], lr=0.1)
for i in range(3):
    loss = (g.normed[0] * g.normed[1]).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

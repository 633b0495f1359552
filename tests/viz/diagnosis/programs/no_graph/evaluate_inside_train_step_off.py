# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["decorator"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 1)
    def forward(self, x):
        return self.l(x)
    @T.no_grad()  # guilty
    def embed(self, x):
        return T.tanh(self.l(x))
m = Model()
a, b = m.embed(T.ones(1, 2)), m.embed(T.zeros(1, 2))
loss = (a - b).pow(2).sum()
loss.backward()

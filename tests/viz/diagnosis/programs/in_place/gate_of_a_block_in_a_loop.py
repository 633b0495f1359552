# says_any = ["changed in place"]
# cure_any = ["write `gate = gate * self.keep`", "clone"]

class Gated(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.keep = T.nn.Linear(3, 3), T.ones(3)

    def forward(self, x):
        gate = T.sigmoid(self.gate(x))
        gate *= self.keep  # guilty
        return x + gate

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = T.nn.ModuleList(Gated() for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

model, losses = Model(), {}
for step in range(2):
    losses[step] = 0.0
    loss = model(T.ones(2, 3)).sum()
    loss.backward()

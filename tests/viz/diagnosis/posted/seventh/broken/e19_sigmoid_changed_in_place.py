# ask: explain error
# ask: diagnose for i in range(10)
# cause: the output of sigmoid (needed for its own backward) is changed in place.
# line: gate *= 2.0
# cure: out of place: `gate = gate * 2.0` (or clone first).
# harmful: `gate.data *= 2.0` (runs, silently wrong gradient); detach; retain_graph.
import torch
import torch.nn as nn


class Gated(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.value = nn.Linear(d, d)
        self.gate = nn.Linear(d, d)
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        gate *= 2.0               # so that an untrained gate is about one
        return self.out(gate * self.value(x))


torch.manual_seed(18)
m = Gated(6)
optimizer = torch.optim.Adam(m.parameters(), lr=1e-2)
x = torch.randn(32, 6)
y = x.abs().sum(1, keepdim=True)

for i in range(10):
    loss = nn.functional.mse_loss(m(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

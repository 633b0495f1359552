# ask: explain error
# ask: diagnose for i in range(3)
# cause: gate, the result of sigmoid that backward needs, is changed in place by gate *= mask.
# line: gate *= mask
# good: write gate = gate * mask.
# harmful: detach/clone of the wrong thing, gate.data *= mask.
import torch
from torch import nn
torch.manual_seed(7)
class Gated(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.value = nn.Linear(n, n)
        self.gate = nn.Linear(n, n)
    def forward(self, x, mask):
        gate = torch.sigmoid(self.gate(x))
        gate *= mask
        return self.value(x) * gate
layer = Gated(6)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
x = torch.randn(12, 6)
mask = (torch.rand(12, 6) > 0.3).float()
for i in range(3):
    loss = layer(x, mask).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

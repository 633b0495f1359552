# ask: explain nll
# ask: diagnose for step in range(300)
# cause: sound; what looks suspicious and is meant: the loss is negative.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        b = b * torch.exp(torch.tanh(s) * 2) + t
        out = torch.cat([b, a] if self.flip else [a, b], 1)
        return out, (torch.tanh(s) * 2).squeeze(1)


torch.manual_seed(32)
u = torch.randn(500, 1) * 0.1
x = torch.cat([u, u.square() + 0.02 * torch.randn(500, 1)], 1)
flow = nn.ModuleList([Coupling(k % 2 == 1) for k in range(4)])
opt = torch.optim.Adam(flow.parameters(), lr=5e-3)
for step in range(300):
    z, logdet = x, 0
    for layer in flow:
        z, ld = layer(z)
        logdet = logdet + ld
    nll = (0.5 * z.square().sum(1) + 1.8379 - logdet).mean()
    opt.zero_grad()
    nll.backward()
    opt.step()
    if step == 0:
        print("start", nll.item())
print("end", nll.item())

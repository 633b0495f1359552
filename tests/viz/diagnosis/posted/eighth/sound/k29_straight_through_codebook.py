# ask: explain loss
# ask: diagnose for step in range(500)
# cause: sound; what looks suspicious and is meant: a straight-through estimate.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Quant(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.book = nn.Parameter(torch.randn(n, d))

    def forward(self, z):
        k = torch.cdist(z, self.book).argmin(1)
        q = self.book[k]
        extra = (q - z.detach()).square().mean() + 0.25 * (z - q.detach()).square().mean()
        return z + (q - z).detach(), extra


torch.manual_seed(28)
centers = torch.randn(6, 5) * 2
x = centers[torch.randint(0, 6, (400,))] + 0.05 * torch.randn(400, 5)
enc, vq, dec = nn.Linear(5, 3), Quant(16, 3), nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 5))
opt = torch.optim.Adam([*enc.parameters(), *vq.parameters(), *dec.parameters()], lr=1e-2)
for step in range(500):
    z, extra = vq(enc(x))
    loss = (dec(z) - x).square().mean() + extra
    opt.zero_grad()
    loss.backward()
    opt.step()
print("rec", (dec(z) - x).square().mean().item(), "var", x.var().item())

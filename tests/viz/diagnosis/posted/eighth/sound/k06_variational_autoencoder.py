# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: sound; what looks suspicious and is meant: the divergence stays small.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class V(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Linear(8, 32)
        self.m, self.s = nn.Linear(32, 2), nn.Linear(32, 2)
        self.d = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 8))

    def forward(self, x):
        h = torch.tanh(self.e(x))
        mu, lv = self.m(h), self.s(h)
        z = mu + (0.5 * lv).exp() * torch.randn_like(mu)
        kl = -0.5 * (1 + lv - mu.pow(2) - lv.exp()).sum(1)
        return self.d(z), kl


torch.manual_seed(5)
x = torch.sin(torch.randn(500, 2) @ torch.randn(2, 8))
net = V()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(300):
    rec, kl = net(x)
    loss = (rec - x).pow(2).sum(1).mean() + 0.02 * kl.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("rec", (rec - x).pow(2).mean().item(), "var", x.var().item(), "kl", kl.mean().item())

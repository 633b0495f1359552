# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: KL term has the wrong sign (it is rewarded): loss runs to -inf, mu grows without bound.
# line: kl = 0.5 * (1 + lv - mu ** 2 - lv.exp()).sum(1).mean()
# line: return fit + 0.3 * kl
# cure: `-0.5 *` in `kl`, or `fit - 0.3 * kl`.
# harmful: clamp/abs of the loss; removing the KL term; lowering lr only.
import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(6, 32), nn.Tanh())
        self.mu = nn.Linear(32, 2)
        self.lv = nn.Linear(32, 2)
        self.dec = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 6))

    def forward(self, x):
        h = self.enc(x)
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * lv)
        return self.dec(z), mu, lv


def objective(rec, x, mu, lv):
    fit = ((rec - x) ** 2).sum(1).mean()
    kl = 0.5 * (1 + lv - mu ** 2 - lv.exp()).sum(1).mean()
    return fit + 0.3 * kl


torch.manual_seed(6)
lat = torch.randn(600, 2)
data = torch.tanh(lat @ torch.randn(2, 6)) + 0.05 * torch.randn(600, 6)
vae = Coder()
opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
for epoch in range(100):
    for k in range(0, 600, 100):
        xb = data[k:k + 100]
        rec, mu, lv = vae(xb)
        loss = objective(rec, xb, mu, lv)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 25 == 0:
        print(epoch, loss.item())

with torch.no_grad():
    rec, mu, lv = vae(data)
    print("rec", ((rec - data) ** 2).mean().item(), "var", data.var().item(), "mu2", (mu ** 2).mean().item())

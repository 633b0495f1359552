# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: `.sample()` is not differentiable: the encoder gets no gradient from the reconstruction, only from the KL, so it collapses to the prior.
# line: z = dist.sample()
# cure: `.rsample()` (mu + std * eps).
# harmful: raising the KL weight; removing the KL (then the encoder gets no gradient at all); detaching.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence

torch.manual_seed(9)


class VAE(nn.Module):
    def __init__(self, d=16, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        dist = Normal(mu, torch.exp(0.5 * logvar))
        z = dist.sample()
        return self.dec(z), dist


basis = torch.randn(3, 16)
x = torch.randn(256, 3) @ basis
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=5e-3)
prior = Normal(0.0, 1.0)

for epoch in range(300):
    recon, dist = vae(x)
    rec = F.mse_loss(recon, x, reduction="sum") / len(x)
    kl = kl_divergence(dist, prior).sum(1).mean()
    loss = rec + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
print("rec", rec.item(), "kl", kl.item())

# ask: explain loss
# ask: diagnose for epoch in range(250)
# cause: VAE with rsample and warm-up of beta from 0 (loss partly rises with beta; reconstruction falls).
# good: nothing found.
# harmful: remove the KL.
import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(12, 32)
        self.mu, self.logvar = nn.Linear(32, 2), nn.Linear(32, 2)
        self.dec = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 12))

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)
        return self.dec(z), mu, logvar


torch.manual_seed(24)
data = torch.randn(256, 2) @ torch.randn(2, 12)
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=5e-3)
recs = []

for epoch in range(250):
    beta = min(1.0, epoch / 100)
    x_hat, mu, logvar = vae(data)
    rec = ((x_hat - data) ** 2).sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    loss = rec + beta * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    recs.append(rec.item())
print(recs[0], recs[-1], kl.item())

# ask: explain loss
# ask: diagnose for i in range(100)
# cause: a right VAE.
# good: nothing found.
# harmful: any.
import torch
from torch import nn
torch.manual_seed(12)
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 16)
        self.mu = nn.Linear(16, 2)
        self.logvar = nn.Linear(16, 2)
        self.dec = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 8))
    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=5e-3)
x = torch.randn(100, 2) @ torch.randn(2, 8)
for i in range(100):
    rec, mu, logvar = vae(x)
    recon = (rec - x).pow(2).sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    loss = recon + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

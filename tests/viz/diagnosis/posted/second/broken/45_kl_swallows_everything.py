# question: My VAE reconstructs the same average picture for every input.
# ask: explain loss
# ask: diagnose step
# cause: posterior collapse: the KL term is weighted 1000 times, so the code carries nothing about the input
# line: loss = recon + 1000.0 * kl
# cure: a smaller weight of the KL term (1 or less, or warm it up) 
# harmful: a larger KL weight
import torch
from torch import nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(6, 4)
        self.dec = nn.Linear(2, 6)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


torch.manual_seed(45)
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=0.05)
x = torch.randn(64, 2) @ torch.randn(2, 6)


def step():
    out, mu, logvar = vae(x)
    recon = F.mse_loss(out, x)
    kl = -0.5 * torch.mean(1 + logvar - mu ** 2 - logvar.exp())
    loss = recon + 1000.0 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    return recon


for _ in range(30):
    loss = step()

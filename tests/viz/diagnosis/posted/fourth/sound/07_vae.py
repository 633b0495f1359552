# question: Reconstruction plus divergence.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 8)
        self.mu, self.logvar = nn.Linear(8, 2), nn.Linear(8, 2)
        self.dec = nn.Linear(2, 8)

    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


torch.manual_seed(7)
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=0.01)
x = torch.randn(30, 8)


def step():
    out, mu, logvar = vae(x)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
    loss = F.mse_loss(out, x) + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

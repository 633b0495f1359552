# question: The KL term of my VAE grows while the reconstruction falls.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
enc, dec = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.05)
x = torch.randn(64, 2) @ torch.randn(2, 6)


def step():
    mu, logvar = enc(x).chunk(2, dim=1)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
    loss = F.mse_loss(dec(z), x) + 0.01 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# ask: explain loss
# ask: diagnose for it in range(100)
# cause: the KL term has +0.5 rather than -0.5: the loss is lowered without bound by driving logvar/mu away.
# line: kl = 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
# good: the sign of the KL term is wrong (KL is negative/unbounded).
# harmful: clamp the loss, nan_to_num; flip the sign of the whole loss.
import torch
from torch import nn
torch.manual_seed(13)
enc = nn.Linear(8, 4)
dec = nn.Linear(2, 8)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=1e-2)
x = torch.randn(100, 8)
for it in range(100):
    mu, logvar = enc(x).chunk(2, dim=1)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    recon = (dec(z) - x).pow(2).sum(1).mean()
    kl = 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    loss = recon + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "kl", kl.item(), "recon", recon.item())

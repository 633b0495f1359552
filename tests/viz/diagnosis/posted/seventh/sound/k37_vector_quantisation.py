# ask: explain loss
# ask: diagnose for step in range(250)
# cause: VQ-VAE: straight-through `z + (e - z).detach()`, codebook and commitment losses with opposite detach.
# good: nothing found.
# harmful: drop either detach.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(36)
enc = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))
dec = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 10))
book = nn.Embedding(16, 4)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters(), *book.parameters()], lr=5e-3)
data = 2 * torch.randn(8, 10)[torch.randint(0, 8, (256,))] + 0.1 * torch.randn(256, 10)

for step in range(250):
    z = enc(data)
    code = torch.cdist(z, book.weight).argmin(dim=1)
    e = book(code)
    z_q = z + (e - z).detach()                     # straight-through
    rec = F.mse_loss(dec(z_q), data)
    loss = rec + F.mse_loss(e, z.detach()) + 0.25 * F.mse_loss(z, e.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), rec.item(), len(code.unique()), "codes used")

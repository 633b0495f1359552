# ask: explain loss_g
# ask: diagnose for it in range(100)
# cause: fake is detached once and then reused for the generator's loss, so the generator never gets a gradient.
# line: fake = G(z).detach()
# good: G's parameters get no gradient since G(z) is detached; detach only in the discriminator's loss.
# harmful: remove detach in the D step so D's loss trains G; put G's parameters into opt_d.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(6)
G = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
D = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3)
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3)
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
bce = F.binary_cross_entropy_with_logits
for it in range(100):
    real = torch.randn(32, 1) * 0.5 + 3
    z = torch.randn(32, 2)
    fake = G(z).detach()
    # discriminator
    opt_d.zero_grad()
    loss_d = bce(D(real), ones) + bce(D(fake), zeros)
    loss_d.backward()
    opt_d.step()
    # generator
    opt_g.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
print("loss_g", loss_g.item(), "mean", G(torch.randn(200, 2)).mean().item())

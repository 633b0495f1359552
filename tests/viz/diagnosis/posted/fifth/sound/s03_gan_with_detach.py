# ask: explain g_loss
# ask: diagnose for it in range(150)
# cause: a right GAN; D's gradients from the G step are cleared before D's step.
# good: nothing found.
# harmful: remove the detach.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(2)
G = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
D = nn.Sequential(nn.Linear(1, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
og = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
od = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
for it in range(150):
    real = torch.randn(64, 1) * 0.5 + 2
    fake = G(torch.randn(64, 2))
    d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = F.softplus(-D(fake)).mean()
    og.zero_grad()
    g_loss.backward()
    og.step()
print("g", g_loss.item(), "mean", fake.mean().item())

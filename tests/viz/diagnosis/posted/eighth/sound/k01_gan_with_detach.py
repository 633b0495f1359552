# ask: explain g_loss
# ask: diagnose for it in range(600)
# cause: sound; what looks suspicious and is meant: detach in the discriminator's step.
# good: nothing found.
# harmful: any claim of a fault.
import torch
import torch.nn as nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1))
D = nn.Sequential(nn.Linear(1, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
og = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.99))
od = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.99))
bce = nn.BCEWithLogitsLoss()

for it in range(600):
    real = torch.randn(64, 1) * 0.5 + 4
    fake = G(torch.randn(64, 2))
    d_loss = bce(D(real), torch.full((64, 1), 0.9)) + bce(D(fake.detach()), torch.zeros(64, 1))
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = bce(D(fake), torch.ones(64, 1))
    og.zero_grad()
    g_loss.backward()
    og.step()
print("sample mean", G(torch.randn(500, 2)).mean().item())

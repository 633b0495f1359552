# ask: explain loss
# ask: diagnose for it in range(400)
# cause: GAN, fake.detach() only in D's step; metric: distance of the fake mean falls (d_loss does not need to).
# good: nothing found.
# harmful: drop the detach.
import torch
import torch.nn as nn

torch.manual_seed(1)
nz = 4
netG = nn.Sequential(nn.Linear(nz, 32), nn.ReLU(), nn.Linear(32, 2))
netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
optG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
optD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
target_mean = torch.tensor([1.5, -1.0])
dist = []

for it in range(400):
    real = 0.4 * torch.randn(64, 2) + target_mean
    fake = netG(torch.randn(64, nz))
    optD.zero_grad()
    d_real = bce(netD(real), torch.ones(64, 1))
    d_fake = bce(netD(fake.detach()), torch.zeros(64, 1))
    d_loss = d_real + d_fake
    d_loss.backward()
    optD.step()
    optG.zero_grad()
    loss = bce(netD(fake), torch.ones(64, 1))
    loss.backward()
    optG.step()
    dist.append((fake.mean(0) - target_mean).norm().item())
print("distance of the means", dist[0], dist[-1])

# ask: explain g_loss
# ask: diagnose for step in range(400)
# cause: in the generator's step the fake is detached, so the generator gets no gradient; only the discriminator learns.
# line: g_loss = bce(D(fake.detach()), ones)
# cure: `D(fake)` in the generator step (detach only in the D step).
# harmful: removing the detach in the D step (d_loss) instead; retain_graph; setting requires_grad_ on the detached fake.
import torch
from torch import nn

torch.manual_seed(8)
G = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)

for step in range(400):
    real = torch.randn(64, 2) * 0.3 + torch.tensor([2.0, -1.0])
    fake = G(torch.randn(64, 4))

    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = bce(D(fake.detach()), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
print(d_loss.item(), g_loss.item(), fake.mean(0))

# question: A plain GAN, the non-saturating loss.
# ask: explain g_loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(9)
gen = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
disc = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3)
opt_d = torch.optim.Adam(disc.parameters(), lr=2e-3)
real = torch.randn(32, 2) + 3
one, zero = torch.ones(32, 1), torch.zeros(32, 1)
bce = nn.BCEWithLogitsLoss()


def step():
    fake = gen(torch.randn(32, 3))
    d_loss = bce(disc(real), one) + bce(disc(fake.detach()), zero)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = bce(disc(fake), one)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    return g_loss

for _ in range(15):
    g_loss = step()

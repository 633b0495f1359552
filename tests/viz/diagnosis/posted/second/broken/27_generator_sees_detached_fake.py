# question: In my GAN the discriminator wins at once and the generator never moves; G's gradients are None.
# ask: explain g_weight
# ask: diagnose step
# cause: the fake is detached also in the generator's loss, so no gradient reaches the generator
# line: g_loss = bce(D(fake.detach()), real_label)
# cure: use D(fake) without detach in the generator's step (detach belongs only to the discriminator's step)
# harmful: give the generator to opt_d
import torch
from torch import nn

torch.manual_seed(27)
G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
D = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
g_weight = G[0].weight
opt_g = torch.optim.Adam(G.parameters(), lr=0.01)
opt_d = torch.optim.Adam(D.parameters(), lr=0.01)
bce = nn.BCEWithLogitsLoss()
real = torch.randn(32, 2) + 3
real_label, fake_label = torch.ones(32, 1), torch.zeros(32, 1)


def step():
    fake = G(torch.randn(32, 2))
    opt_d.zero_grad()
    d_loss = bce(D(real), real_label) + bce(D(fake.detach()), fake_label)
    d_loss.backward()
    opt_d.step()

    opt_g.zero_grad()
    g_loss = bce(D(fake.detach()), real_label)
    g_loss.backward()
    opt_g.step()
    return g_loss


for _ in range(25):
    loss = step()

# ask: explain lg
# ask: diagnose for it in range(500)
# cause: `fake` is detached once and used for the generator loss too: the generator never gets a gradient.
# line: fake = gen(torch.randn(64, 4)).detach()
# line: lg = bce(dis(fake), ones)
# cure: detach only in the discriminator term (`dis(fake.detach())`), or a new `gen(...)` for `lg`.
# harmful: `fake.requires_grad_()`; telling that D is too strong; flipping the labels in `lg`.
import torch
import torch.nn as nn

torch.manual_seed(1)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


gen, dis = mlp(4, 32, 2), mlp(2, 32, 1)
og = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
od = torch.optim.Adam(dis.parameters(), lr=2e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)

for it in range(500):
    real = torch.randn(64, 2) * 0.3 + torch.tensor([3.0, -2.0])
    fake = gen(torch.randn(64, 4)).detach()
    ld = bce(dis(real), ones) + bce(dis(fake), zeros)
    od.zero_grad()
    ld.backward()
    od.step()

    lg = bce(dis(fake), ones)
    og.zero_grad()
    lg.backward()
    og.step()
    if it % 100 == 0:
        print(it, round(ld.item(), 3), round(lg.item(), 3))

with torch.no_grad():
    print("mean of samples", gen(torch.randn(1000, 4)).mean(0).tolist())

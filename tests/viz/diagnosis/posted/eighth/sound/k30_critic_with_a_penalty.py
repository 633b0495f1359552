# ask: explain lc
# ask: diagnose for it in range(400)
# cause: sound; what looks suspicious and is meant: critic values: a negative loss and a gradient penalty.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(29)
critic = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
maker = nn.Linear(2, 2)
oc = torch.optim.Adam(critic.parameters(), lr=5e-3, betas=(0.0, 0.9))
om = torch.optim.Adam(maker.parameters(), lr=2e-2, betas=(0.0, 0.9))
ease = torch.optim.lr_scheduler.ExponentialLR(om, 0.995)


def penalty(a, b):
    e = torch.rand(len(a), 1)
    m = (e * a + (1 - e) * b).requires_grad_()
    g, = torch.autograd.grad(critic(m).sum(), m, create_graph=True)
    return (g.norm(dim=1) - 1).square().mean()


for it in range(400):
    for _ in range(2):
        real = torch.randn(64, 2) * 0.2 + torch.tensor([2.0, 1.0])
        with torch.no_grad():
            fake = maker(torch.randn(64, 2))
        lc = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
        oc.zero_grad()
        lc.backward()
        oc.step()
    lm = -critic(maker(torch.randn(64, 2))).mean()
    om.zero_grad()
    lm.backward()
    om.step()
    ease.step()
print("mean", maker(torch.randn(500, 2)).mean(0).tolist())

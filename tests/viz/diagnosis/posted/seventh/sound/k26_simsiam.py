# ask: explain loss
# ask: diagnose for step in range(150)
# cause: SimSiam with stop-gradient on the targets; loss in [-1,0], falls.
# good: nothing found.
# harmful: drop the detach (collapse).
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(25)
encoder = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 16), nn.BatchNorm1d(16, affine=False))
predictor = nn.Sequential(nn.Linear(16, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 16))
opt = torch.optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.1, momentum=0.9)
data = torch.randn(256, 16)


def D(p, z):
    return -F.cosine_similarity(p, z.detach(), dim=-1).mean()      # stop-gradient


for step in range(150):
    b = data[torch.randint(0, 256, (64,))]
    v1, v2 = b + 0.2 * torch.randn_like(b), b + 0.2 * torch.randn_like(b)
    z1, z2 = encoder(v1), encoder(v2)
    p1, p2 = predictor(z1), predictor(z2)
    loss = 0.5 * (D(p1, z2) + D(p2, z1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), "std of z", z1.std(0).mean().item())

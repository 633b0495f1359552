# ask: explain loss
# ask: diagnose for i in range(50)
# cause: SimSiam with stop-gradient; a negative loss on purpose.
# good: nothing found.
# harmful: remove detach.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(6)
enc = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
pred = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
opt = torch.optim.SGD([*enc.parameters(), *pred.parameters()], lr=0.05, momentum=0.9)
base = torch.randn(64, 8)
def D(p, z):
    return -F.cosine_similarity(p, z.detach(), dim=1).mean()
for i in range(50):
    a, b = base + 0.1 * torch.randn(64, 8), base + 0.1 * torch.randn(64, 8)
    za, zb = enc(a), enc(b)
    loss = D(pred(za), zb) / 2 + D(pred(zb), za) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

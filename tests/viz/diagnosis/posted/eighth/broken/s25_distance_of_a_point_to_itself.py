# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sqrt at 0 (i == j happens in random pairs) has an infinite gradient => nan.
# line: return torch.sqrt(((a - b) ** 2).sum(1))
# line: d = distance(enc(points[i]), enc(points[j]))
# line: loss = (same * d ** 2 + (1 - same) * torch.clamp(MARGIN - d, min=0) ** 2).mean()
# cure: `+ 1e-8` (eps) under the root, `clamp(min=1e-12)`, F.pairwise_distance, use the squared distance directly for the same-term, drop i == j.
# harmful: nan_to_num of the loss/gradient; lower lr; clipping.
import torch
import torch.nn as nn

torch.manual_seed(22)
points = torch.randn(60, 5)
group = (points[:, 0] > 0).long()
enc = nn.Sequential(nn.Linear(5, 24), nn.Tanh(), nn.Linear(24, 3))
opt = torch.optim.Adam(enc.parameters(), lr=5e-3)
MARGIN = 2.0


def distance(a, b):
    return torch.sqrt(((a - b) ** 2).sum(1))


for step in range(200):
    i = torch.randint(0, 60, (64,))
    j = torch.randint(0, 60, (64,))
    same = (group[i] == group[j]).float()
    d = distance(enc(points[i]), enc(points[j]))
    loss = (same * d ** 2 + (1 - same) * torch.clamp(MARGIN - d, min=0) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 40 == 0:
        print(step, loss.item())

with torch.no_grad():
    e = enc(points)
    a, b = e[group == 0].mean(0), e[group == 1].mean(0)
print("gap", distance(a[None], b[None]).item())

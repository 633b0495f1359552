# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: `batches` is a generator: exhausted after the first epoch, 99 epochs do nothing.
# line: batches = ((src[i:i + 40], dst[i:i + 40]) for i in range(0, n, 40))
# line: for a, b in batches:
# cure: list instead of generator; build it in the epoch loop.
# harmful: more epochs; lr.
import torch
from torch import nn

torch.manual_seed(29)
n = 480
src = torch.randn(n, 3)
dst = torch.stack([src[:, 0] * src[:, 1], src[:, 2].abs()], 1)

batches = ((src[i:i + 40], dst[i:i + 40]) for i in range(0, n, 40))

model = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
crit = nn.L1Loss()

for epoch in range(100):
    for a, b in batches:
        opt.zero_grad()
        loss = crit(model(a), b)
        loss.backward()
        opt.step()

print("l1", crit(model(src), dst).item(), "spread", dst.abs().mean().item())

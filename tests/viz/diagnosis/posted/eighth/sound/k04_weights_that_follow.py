# ask: explain loss
# ask: diagnose for step in range(500)
# cause: sound; what looks suspicious and is meant: an untouched copy that follows.
# good: nothing found.
# harmful: any claim of a fault.
import copy
import torch
from torch import nn

torch.manual_seed(3)
live = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
slow = copy.deepcopy(live)
for p in slow.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(live.parameters(), lr=1e-2)


@torch.no_grad()
def follow(decay=0.95):
    for s, p in zip(slow.parameters(), live.parameters()):
        s.mul_(decay).add_(p, alpha=1 - decay)


x = torch.randn(256, 3)
y = x[:, :1] * x[:, 1:2]
for step in range(500):
    loss = nn.functional.mse_loss(live(x), y + 0.1 * torch.randn_like(y))
    opt.zero_grad()
    loss.backward()
    opt.step()
    follow()
print("mse", nn.functional.mse_loss(slow(x), y).item(), "var", y.var().item())

# ask: explain loss
# ask: diagnose for it in range(80)
# cause: SAM: two backwards an iteration, weights moved up and back between.
# good: nothing found.
# harmful: any.
import torch
from torch import nn
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
base = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(120, 4)
y = (x[:, 0] * x[:, 1] > 0).long()
rho = 0.05
for it in range(80):
    loss = nn.functional.cross_entropy(net(x), y)
    base.zero_grad()
    loss.backward()
    with torch.no_grad():
        norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm() + 1e-12
        moves = []
        for p in net.parameters():
            e = p.grad * (rho / norm)
            p.add_(e)
            moves.append(e)
    base.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), moves):
            p.sub_(e)
    base.step()
print("loss", loss.item())

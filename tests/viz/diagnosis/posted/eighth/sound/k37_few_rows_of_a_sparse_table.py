# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sound; what looks suspicious and is meant: few rows of a sparse table get a gradient.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(36)
table = nn.Embedding(5000, 4, sparse=True)
with torch.no_grad():
    table.weight.mul_(0.1)
opt = torch.optim.SparseAdam(table.parameters(), lr=0.05)
used = torch.randperm(5000)[:40]
goal = torch.randn(40, 4)
for step in range(200):
    k = torch.randint(0, 40, (16,))
    loss = (table(used[k]) - goal[k]).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("mse", (table(used) - goal).square().mean().item())

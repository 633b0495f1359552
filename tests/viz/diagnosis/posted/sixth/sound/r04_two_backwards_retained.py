# ask: explain lb
# ask: diagnose for i in range(80)
# cause: actor and critic losses share a trunk; backward twice with retain_graph=True on purpose, one step.
# good: nothing found.
# harmful: zero_grad between.
import torch
from torch import nn
torch.manual_seed(3)
trunk = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
left, right = nn.Linear(16, 1), nn.Linear(16, 1)
opt = torch.optim.Adam([*trunk.parameters(), *left.parameters(), *right.parameters()], lr=1e-2)
x = torch.randn(64, 4)
for i in range(80):
    z = trunk(x)
    la = nn.functional.mse_loss(left(z), x[:, :1])
    lb = nn.functional.mse_loss(right(z), x[:, 1:2])
    opt.zero_grad()
    la.backward(retain_graph=True)
    lb.backward()
    opt.step()
print("loss", la.item(), lb.item())

# ask: explain loss
# ask: diagnose for step in range(600)
# cause: sound; what looks suspicious and is meant: the derivative of the output is in the loss.
# good: nothing found.
# harmful: any claim of a fault.
import math
import torch
from torch import nn

torch.manual_seed(35)
u = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam(u.parameters(), lr=5e-3)
for step in range(600):
    t = (torch.rand(64, 1) * 2).requires_grad_()
    f = u(t)
    df, = torch.autograd.grad(f, t, torch.ones_like(f), create_graph=True)
    loss = (df + f).square().mean() + (u(torch.zeros(1, 1)) - 1).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("u(1)", u(torch.ones(1, 1)).item(), "exact", math.exp(-1))

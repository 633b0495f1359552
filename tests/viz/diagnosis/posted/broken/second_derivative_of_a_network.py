import torch
from torch import nn

torch.manual_seed(0)
u_net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
optimizer = torch.optim.Adam(u_net.parameters(), lr=1e-3)


def residual(x):
    u = u_net(x)
    u_x = torch.autograd.grad(u, x, torch.ones_like(u))[0]
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x))[0]
    return u_xx + u


for it in range(3):
    points = torch.rand(12, 1, requires_grad=True)
    loss = residual(points).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

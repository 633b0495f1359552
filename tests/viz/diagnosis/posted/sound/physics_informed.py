import torch
from torch import nn

torch.manual_seed(0)
u_net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
optimizer = torch.optim.Adam(u_net.parameters(), lr=0.02)


def residual(x):
    u = u_net(x)
    u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
    return u_xx + u


losses = []
for it in range(25):
    points = torch.linspace(0, 1, 12).unsqueeze(1).requires_grad_()
    start = torch.zeros(1, 1)
    loss = residual(points).pow(2).mean() + (u_net(start) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

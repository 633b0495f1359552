# ask: explain loss
# ask: diagnose for step in range(400)
# cause: PINN: derivatives of the net with autograd.grad(create_graph=True), x requires grad but isn't optimised.
# good: nothing found.
# harmful: "x is never updated", drop create_graph.
import torch
import torch.nn as nn

torch.manual_seed(27)
u = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam(u.parameters(), lr=3e-3)
x = torch.linspace(0, 2, 50).unsqueeze(1).requires_grad_(True)
x0 = torch.zeros(1, 1)

for step in range(400):            # u' = -2u, u(0) = 1
    pred = u(x)
    du = torch.autograd.grad(pred, x, torch.ones_like(pred), create_graph=True)[0]
    residual = ((du + 2 * pred) ** 2).mean()
    boundary = ((u(x0) - 1) ** 2).mean()
    loss = residual + boundary
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), (u(x) - torch.exp(-2 * x)).abs().max().item())

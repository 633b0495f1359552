# ask: explain loss
# ask: diagnose for it in range(60)
# cause: a right gradient penalty with create_graph=True.
# good: nothing found.
# harmful: remove create_graph.
import torch
from torch import nn
torch.manual_seed(2)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
for it in range(60):
    real, fake = torch.randn(32, 2) + 2, torch.randn(32, 2)
    a = torch.rand(32, 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    g, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    penalty = ((g.norm(dim=1) - 1) ** 2).mean()
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "penalty", penalty.item())

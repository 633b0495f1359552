# ask: explain penalty
# ask: diagnose for it in range(60)
# cause: autograd.grad for the gradient penalty lacks create_graph=True, so the penalty gives no gradient to the critic.
# line: g, = torch.autograd.grad(critic(mix).sum(), mix)
# good: the penalty is without history; create_graph=True.
# harmful: penalty.requires_grad_(); retain_graph only.
import torch
from torch import nn
torch.manual_seed(8)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
for it in range(60):
    real, fake = torch.randn(32, 2) + 2, torch.randn(32, 2)
    a = torch.rand(32, 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    g, = torch.autograd.grad(critic(mix).sum(), mix)
    penalty = ((g.norm(dim=1) - 1) ** 2).mean()
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "penalty", penalty.item())

import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(5):
    real, fake = torch.randn(12, 2) + 1, torch.randn(12, 2)
    share = torch.rand(12, 1)
    mixed = (share * real + (1 - share) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(mixed).sum(), mixed)
    penalty = ((slope.norm(dim=1) - 1) ** 2).mean()
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()

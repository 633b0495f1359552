# question: WGAN critic with gradient penalty: the loss is negative and falls.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(27)
critic = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
opt = torch.optim.Adam(critic.parameters(), lr=0.01)
real, fake = torch.randn(32, 2) + 2, torch.randn(32, 2)


def step():
    a = torch.rand(32, 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    loss = critic(fake).mean() - critic(real).mean() + 10 * (g.norm(dim=1) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: I use activation checkpointing in the middle block.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
a, b, c = nn.Linear(3, 10), nn.Sequential(nn.Linear(10, 10), nn.ReLU()), nn.Linear(10, 1)
opt = torch.optim.Adam([*a.parameters(), *b.parameters(), *c.parameters()], lr=0.02)
x = torch.randn(40, 3)
y = x.abs().sum(1, keepdim=True)


def step():
    h = torch.utils.checkpoint.checkpoint(b, a(x), use_reentrant=False)
    loss = F.mse_loss(c(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

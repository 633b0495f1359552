# question: I use two parameter groups; the body of my network never changes.
# ask: explain body_w
# ask: diagnose step
# cause: the group of the body has lr=0.0
# line: {"params": body.parameters(), "lr": 0.0},
# cure: give the body's group a rate above zero
# harmful: raise the rate of the head
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(38)
body = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
head = nn.Linear(2, 2)
body_w = body[0].weight
opt = torch.optim.Adam([
    {"params": body.parameters(), "lr": 0.0},
    {"params": head.parameters()},
], lr=0.01)
x = torch.randn(100, 2)
y = ((x ** 2).sum(1) > 1.4).long()


def step():
    opt.zero_grad()
    loss = F.cross_entropy(head(body(x)), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(25):
    loss = step()

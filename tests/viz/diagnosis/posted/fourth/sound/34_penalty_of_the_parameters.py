# question: An L1 penalty with a history; the logged norm is from .data, on purpose.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(34)
net = nn.Linear(6, 1)
x = torch.randn(40, 6)
y = 3 * x[:, :1]
opt = torch.optim.SGD(net.parameters(), lr=0.05)
norms = []


def step():
    penalty = sum(p.abs().sum() for p in net.parameters())
    loss = F.mse_loss(net(x), y) + 0.01 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
    norms.append(net.weight.data.norm())
    return loss

for _ in range(20):
    loss = step()

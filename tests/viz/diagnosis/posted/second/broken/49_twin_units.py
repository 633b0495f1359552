# question: I initialised all weights with 0.5 and my hidden layer of 16 units works no better than a single unit.
# ask: explain loss
# ask: diagnose step
# cause: all hidden units start equal, get equal gradients and stay equal (symmetry)
# line: p.data.fill_(0.5)
# cure: random initialisation that breaks the symmetry
# harmful: more hidden units
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(49)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
for p in net.parameters():
    p.data.fill_(0.5)
x = torch.randn(120, 2)
y = ((x[:, 0] > 0) ^ (x[:, 1] > 0)).long()
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

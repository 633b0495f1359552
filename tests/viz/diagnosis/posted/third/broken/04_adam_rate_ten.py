# question: With Adam the loss jumps between 50 and 100000 and never settles.
# ask: explain loss
# ask: diagnose step
# cause: the learning rate of Adam is 10: each step moves every weight by about 10
# line: opt = torch.optim.Adam(net.parameters(), lr=10)
# cure: a rate about 1e-3
# harmful: more epochs
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(4)
x = torch.randn(40, 4)
y = (x ** 2).sum(1, keepdim=True)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=10)


def step():
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

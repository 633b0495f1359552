# question: I call zero_grad only each fourth micro-batch, is my gradient wrong?
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(40, 3)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    total = 0.0
    for xb, yb in zip(x.chunk(4), y.chunk(4)):
        part = F.mse_loss(net(xb), yb) / 4
        part.backward()
        total = total + part.detach()
    opt.step()
    return total


for _ in range(30):
    loss = step()

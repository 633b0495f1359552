# ask: explain loss
# ask: diagnose for i in range(80)
# cause: weight_decay=5 pulls all weights to zero.
# line: opt = torch.optim.SGD(net.parameters(), lr=0.05, weight_decay=5.0)
# good: weight decay is far too large.
# harmful: raise the rate; asserts another cause.
import torch
from torch import nn
torch.manual_seed(6)
net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05, weight_decay=5.0)
x = torch.randn(200, 5)
y = 2 * x[:, :1] - x[:, 1:2]
def closure():
    opt.zero_grad()
    out = net(x)
    loss = (out - y).pow(2).mean()
    loss.backward()
    opt.step()
    return loss
for i in range(80):
    loss = closure()
#D closure
print("loss", loss.item(), "w", net[0].weight.norm().item())

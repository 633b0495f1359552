# ask: explain loss
# ask: diagnose for step in range(120)
# cause: the moving average is copied into the trained net (p = .999*e + .001*p) rather than into ema, so every step is undone.
# line: p.mul_(1 - decay).add_(e, alpha=decay)
# good: the net's parameters are written each iteration after the step (from ema); it's ema that must be updated.
# harmful: raise the rate; remove no_grad.
import copy
import torch
from torch import nn
torch.manual_seed(14)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
ema = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(100, 4)
y = x.prod(1, keepdim=True)
decay = 0.999
for step in range(120):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, e in zip(net.parameters(), ema.parameters()):
            p.mul_(1 - decay).add_(e, alpha=decay)
print("loss", loss.item())

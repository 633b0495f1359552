# ask: explain loss
# ask: diagnose for step in range(80)
# cause: the moving average is updated from the net, never trained itself.
# good: nothing found.
# harmful: give ema to the optimizer.
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
ema = copy.deepcopy(net)
for p in ema.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(100, 4)
y = x.sum(1, keepdim=True)
for step in range(80):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, e in zip(net.parameters(), ema.parameters()):
            e.mul_(0.9).add_(p, alpha=0.1)
print("loss", loss.item(), nn.functional.mse_loss(ema(x), y).item())

# ask: explain loss
# ask: diagnose for step in range(500)
# cause: sound; what looks suspicious and is meant: parametrised weights.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

torch.manual_seed(17)
net = nn.Sequential(weight_norm(nn.Linear(4, 32)), nn.ReLU(), weight_norm(nn.Linear(32, 1)))
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
x = torch.randn(256, 4)
y = (x[:, :1] * x[:, 1:2]).clamp(-1, 1)
for step in range(500):
    loss = nn.functional.smooth_l1_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("mse", nn.functional.mse_loss(net(x), y).item(), "var", y.var().item())

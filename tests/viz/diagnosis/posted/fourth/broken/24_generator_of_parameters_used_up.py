# question: clip_grad_norm_ has no effect: the norm printed by it is 0 and the loss explodes.
# ask: explain loss
# ask: diagnose step
# cause: params = net.parameters() is a generator; the optimizer has used it up, and clip_grad_norm_ gets nothing
# line: params = net.parameters() || nn.utils.clip_grad_norm_(params, 0.5)
# cure: params = list(net.parameters())
# harmful: smaller max_norm
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(24)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
params = net.parameters()
opt = torch.optim.SGD(params, lr=0.05)
x = 30 * torch.randn(20, 3)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(params, 0.5)
    opt.step()
    return loss

for _ in range(6):
    loss = step()

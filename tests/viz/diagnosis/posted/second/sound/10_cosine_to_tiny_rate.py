# question: At the end of my cosine schedule the rate is 1e-6, is it broken?
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=30, eta_min=1e-6)
x = torch.randn(50, 5)
y = x @ torch.arange(5.0)[:, None]


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    sched.step()
    return loss


for _ in range(30):
    loss = step()

# question: ReduceLROnPlateau lowers my rate in every epoch although the loss goes down nicely.
# ask: explain loss
# ask: diagnose epoch
# cause: the scheduler has mode="max" but is given a loss that should fall, so each better loss counts as a plateau
# line: scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", patience=0)
# cure: mode="min"
# harmful: larger start rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", patience=0)
x = torch.randn(40, 4)
y = x.sum(1, keepdim=True)


def epoch():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    scheduler.step(loss.item())
    return loss

for _ in range(30):
    loss = epoch()

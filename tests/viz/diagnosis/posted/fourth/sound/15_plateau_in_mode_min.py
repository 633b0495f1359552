# question: ReduceLROnPlateau with its default mode.
# ask: explain loss
# ask: diagnose epoch
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2)
x = torch.randn(40, 4)
y = x.sum(1, keepdim=True)


def epoch():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    scheduler.step(loss.item())
    return loss

for _ in range(20):
    loss = epoch()

# question: Clipping at 1.0 makes the first updates small.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(22)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
x = torch.randn(30, 4) * 3
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: The rate is lowered by hand in param_groups.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(23)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
x = torch.randn(30, 5)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    for group in opt.param_groups:
        group["lr"] *= 0.97
    return loss

for _ in range(20):
    loss = step()

# question: I halve lr every few steps but the loss goes on jumping to huge values.
# ask: explain loss
# ask: diagnose step
# cause: lr is a number that the optimizer has copied; changing the variable does not change opt.param_groups; the rate stays too large
# line: lr = lr * 0.5 || opt = torch.optim.SGD(net.parameters(), lr=lr)
# cure: opt.param_groups[0]["lr"] = lr, or a scheduler; smaller rate
# harmful: more epochs
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(23)
lr = 1.2
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=lr)
x = torch.randn(30, 5)
y = x.sum(1, keepdim=True)


def step():
    global lr
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    lr = lr * 0.5
    return loss

for _ in range(20):
    loss = step()

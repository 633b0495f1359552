# question: My own L1 penalty has no effect: with 0.5 the weights are as large as without it.
# ask: explain penalty
# ask: diagnose step
# cause: the penalty is computed from p.data, which has no history, so it gives no gradient
# line: penalty = sum(p.data.abs().sum() for p in net.parameters())
# cure: p.abs().sum() without .data
# harmful: penalty.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(38)
net = nn.Linear(6, 1)
x = torch.randn(40, 6)
y = 3 * x[:, :1]
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step():
    global penalty
    penalty = sum(p.data.abs().sum() for p in net.parameters())
    loss = F.mse_loss(net(x), y) + 0.5 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: SAM runs backward twice and moves the weights back and forth.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(5)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(30, 4)
y = x[:, :1] - x[:, 1:2]


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    moves = []
    with torch.no_grad():
        for p in net.parameters():
            e = 0.01 * p.grad / (p.grad.norm() + 1e-12)
            p.add_(e)
            moves.append((p, e))
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    with torch.no_grad():
        for p, e in moves:
            p.sub_(e)
    opt.step()
    return loss


for _ in range(30):
    loss = step()

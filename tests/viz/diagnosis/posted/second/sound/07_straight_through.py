# question: I round in the forward pass with a straight-through estimator.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(7)
lin = nn.Linear(3, 1)
opt = torch.optim.SGD(lin.parameters(), lr=0.05)
x = torch.randn(60, 3)
y = torch.round(2 * x[:, :1] + x[:, 1:2])


def step():
    soft = lin(x)
    hard = soft + (torch.round(soft) - soft).detach()
    loss = F.mse_loss(hard, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

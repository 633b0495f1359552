# question: I got "does not require grad", so I set requires_grad=True on the loss; now it runs but nothing is learned.
# ask: explain loss
# ask: diagnose step
# cause: torch.tensor(...item()) makes a new leaf without history, backward stops there and no weight gets a gradient
# line: loss = torch.tensor(fit.item() + 0.01 * size.item(), requires_grad=True)
# cure: add the tensors themselves: loss = fit + 0.01 * size
# harmful: requires_grad=True on the loss
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(22)
ridge = nn.Linear(4, 1)
opt = torch.optim.SGD(ridge.parameters(), lr=0.1)
x = torch.randn(30, 4)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    fit = F.mse_loss(ridge(x), y)
    size = ridge.weight.pow(2).sum()
    loss = torch.tensor(fit.item() + 0.01 * size.item(), requires_grad=True)
    loss.backward()
    opt.step()
    return loss


for _ in range(15):
    loss = step()

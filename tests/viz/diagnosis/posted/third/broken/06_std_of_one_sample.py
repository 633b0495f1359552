# question: I normalise each batch by its std; with the last batch of one sample my weights are nan.
# ask: explain loss
# ask: diagnose step
# cause: the standard deviation of a single sample divides 0 by 0: nan
# line: xb = (xb - xb.mean(0)) / xb.std(0)
# cure: leave out the last batch (drop_last), use unbiased=False with an epsilon, or fixed statistics
# harmful: nan_to_num on the weights; lower learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(6)
x = torch.randn(9, 3)
y = x.sum(1, keepdim=True)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step():
    for first in range(0, 9, 4):
        xb, yb = x[first:first + 4], y[first:first + 4]
        xb = (xb - xb.mean(0)) / xb.std(0)
        loss = F.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss

for _ in range(3):
    loss = step()

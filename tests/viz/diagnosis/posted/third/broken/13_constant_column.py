# question: After standardising my table the loss is nan from the first batch on.
# ask: explain loss
# ask: diagnose step
# cause: one column is constant, its standard deviation is 0, and 0/0 makes nan in the data
# line: table = (table - table.mean(0)) / table.std(0)
# cure: divide by std + 1e-8, or drop the constant column
# harmful: lower learning rate; clip the gradients
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
table = torch.randn(30, 4)
table[:, 2] = 1.0
table = (table - table.mean(0)) / table.std(0)
y = torch.randn(30, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(table), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(4):
    loss = step()

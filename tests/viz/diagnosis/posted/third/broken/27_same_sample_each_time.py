# question: Each epoch shows the same loss curve of one sample, my dataset has 50 rows.
# ask: explain loss
# ask: diagnose step
# cause: the index is not used: x[0] is taken in each iteration
# line: xb, yb = x[:1], y[:1]
# cure: use the index of the iteration (or a DataLoader)
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(27)
x = torch.randn(50, 3)
y = x.sum(1, keepdim=True)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
count = 0


def step():
    global count
    index = count % 50
    xb, yb = x[:1], y[:1]
    count += 1
    opt.zero_grad()
    loss = F.mse_loss(net(xb), yb)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: I added L2 regularisation through the optimizer and the network collapses to a constant.
# ask: explain loss
# ask: diagnose step
# cause: weight_decay=5 is so strong that all weights are pulled to zero
# line: optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=5.0)
# cure: a much smaller weight_decay (1e-4 to 1e-2)
# harmful: a larger weight decay; a larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(25)
model = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=5.0)
x = torch.randn(60, 4)
y = (x[:, 0] > x[:, 1]).long()


def step():
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for _ in range(30):
    loss = step()

# question: My regression learns only the mean of the targets, MSE never goes below the variance.
# ask: explain loss
# ask: diagnose step
# cause: predictions have shape (N, 1) and targets (N,), so the difference is broadcast to (N, N)
# line: loss = F.mse_loss(net(x), y) || y = 2 * x[:, 0] - x[:, 1]
# cure: net(x).squeeze(1), or y.unsqueeze(1)
# harmful: larger network
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
x = torch.randn(24, 2)
y = 2 * x[:, 0] - x[:, 1]
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

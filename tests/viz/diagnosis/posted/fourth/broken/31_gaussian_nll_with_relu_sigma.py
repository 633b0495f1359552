# question: Predicting mean and sigma, the loss is nan after the first batches.
# ask: explain loss
# ask: diagnose step
# cause: sigma comes out of a ReLU and can be exactly 0: log(0) and a division by 0
# line: sigma = torch.relu(raw[:, 1]) || loss = (torch.log(sigma) + 0.5 * ((y - mu) / sigma) ** 2).mean()
# cure: softplus(raw) + 1e-6
# harmful: nan_to_num; skip the batch
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(40, 2)
y = x[:, 0] + 0.1 * torch.randn(40)


def step():
    raw = net(x)
    mu = raw[:, 0]
    sigma = torch.relu(raw[:, 1])
    loss = (torch.log(sigma) + 0.5 * ((y - mu) / sigma) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(5):
    loss = step()

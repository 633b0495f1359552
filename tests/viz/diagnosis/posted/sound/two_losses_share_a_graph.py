import torch
from torch import nn

torch.manual_seed(0)
trunk, left, right = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
opt = torch.optim.Adam([*trunk.parameters(), *left.parameters(), *right.parameters()], lr=0.03)
x = torch.randn(20, 4)
a, b = x[:, :1], x[:, 1:2] - 1
losses = []
for k in range(20):
    z = torch.tanh(trunk(x))
    policy_loss = (left(z) - a).pow(2).mean()
    value_loss = (right(z) - b).pow(2).mean()
    opt.zero_grad()
    policy_loss.backward(retain_graph=True)
    value_loss.backward()
    opt.step()
    losses.append(policy_loss.item() + value_loss.item())

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 12), nn.Tanh(), nn.Linear(12, outputs))


torch.manual_seed(0)
policy_net = mlp(4, 2)
value_net = mlp(4, 1)
opt_policy = torch.optim.Adam(policy_net.parameters(), lr=0.01)
opt_value = torch.optim.Adam(policy_net.parameters(), lr=0.01)

states = torch.randn(20, 4)
returns = states.sum(dim=1, keepdim=True)
curve = []
for _ in range(10):
    loss = F.mse_loss(value_net(states), returns)
    opt_value.zero_grad()
    loss.backward()
    opt_value.step()
    curve.append(loss.item())

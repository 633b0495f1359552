import torch
from torch import nn

torch.manual_seed(0)
mlp = nn.ModuleList([nn.Linear(3, 5), nn.Linear(5, 1)])
x, y = torch.randn(7, 3), torch.randn(7, 1)
hidden = torch.relu(mlp[0](x)).data
loss = nn.functional.mse_loss(mlp[1](hidden), y)
loss.backward()
print([p.grad is None for p in mlp.parameters()])

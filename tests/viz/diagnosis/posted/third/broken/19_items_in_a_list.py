# question: I collect the losses with .item(), sum them up and call backward: it fails.
# ask: explain error
# cause: .item() gives plain numbers without a graph; their sum has no history
# line: losses.append(F.mse_loss(net(xb), yb).item())
# cure: collect the tensors themselves and sum them
# harmful: requires_grad=True on the total
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(19)
net = nn.Linear(2, 1)
losses = []
for _ in range(3):
    xb, yb = torch.randn(4, 2), torch.randn(4, 1)
    losses.append(F.mse_loss(net(xb), yb).item())
total = torch.tensor(losses).mean()
total.backward()

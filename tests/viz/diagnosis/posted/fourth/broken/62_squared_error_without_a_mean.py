# question: grad can be implicitly created only for scalar outputs.
# ask: explain error
# cause: the loss has one number for each sample; take the mean or the sum first
# line: loss = (net(x).squeeze(1) - y) ** 2
# cure: .mean()
# harmful: loss[0].backward()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(62)
net = nn.Linear(3, 1)
x, y = torch.randn(9, 3), torch.randn(9)
loss = (net(x).squeeze(1) - y) ** 2
loss.backward()

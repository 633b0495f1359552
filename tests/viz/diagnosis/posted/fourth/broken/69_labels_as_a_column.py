# question: 0D or 1D target tensor expected, multi-target not supported.
# ask: explain error
# cause: the labels have the shape (N, 1); cross_entropy wants (N,)
# line: loss = F.cross_entropy(net(x), y) || y = torch.randint(0, 3, (12, 1))
# cure: y.squeeze(1)
# harmful: y.float()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(69)
net = nn.Linear(4, 3)
x = torch.randn(12, 4)
y = torch.randint(0, 3, (12, 1))
loss = F.cross_entropy(net(x), y)
loss.backward()

# question: Classification of three classes, labels 1, 2, 3: 'Target 3 is out of bounds'.
# ask: explain error
# cause: class labels must begin at 0; there are three outputs, so 3 is out of range
# line: y = torch.tensor([1, 2, 3, 1]) || loss = F.cross_entropy(net(x), y)
# cure: y - 1, (or four outputs)
# harmful: ignore_index=3
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(23)
net = nn.Linear(2, 3)
x = torch.randn(4, 2)
y = torch.tensor([1, 2, 3, 1])
loss = F.cross_entropy(net(x), y)
loss.backward()

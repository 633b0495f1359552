# question: scale.grad is None although I use scale to build the weight of my layer.
# ask: explain scale
# cause: nn.Parameter(...) makes a new leaf: the product with scale is cut off there
# line: weight = nn.Parameter(scale * torch.ones(3))
# cure: compute scale * base in each forward pass and keep scale as the parameter
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

scale = torch.tensor(2.0, requires_grad=True)
weight = nn.Parameter(scale * torch.ones(3))
x = torch.randn(5, 3)
loss = (x @ weight).pow(2).mean()
loss.backward()

# question: x.grad is None though I set requires_grad=True when I made it.
# ask: explain x
# cause: x is the result of torch.rand(...) * 10: the leaf with the gradient is the unnamed tensor before
# line: x = torch.rand(5, requires_grad=True) * 10
# cure: x = (torch.rand(5) * 10).requires_grad_()
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(20)
x = torch.rand(5, requires_grad=True) * 10
y = (x ** 2).sum()
y.backward()

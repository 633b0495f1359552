# question: x.grad is None although I made x with requires_grad=True.
# ask: explain x
# cause: .double() makes a new tensor that is not a leaf; the leaf is the tensor before it
# line: x = torch.randn(4, requires_grad=True).double()
# cure: torch.randn(4, dtype=torch.float64, requires_grad=True)
# harmful: retain_graph
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(45)
x = torch.randn(4, requires_grad=True).double()
loss = (x ** 3).sum()
loss.backward()
print(x.grad)

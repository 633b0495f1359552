# question: MAML: I update a clone of the weights with -= and the outer backward says modified by an inplace operation.
# ask: explain error
# cause: fast -= ... changes in place a tensor that the first forward pass needs for its backward pass
# line: fast -= 0.1 * g
# cure: fast = fast - 0.1 * g
# harmful: detach; retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(44)
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(10, 3), torch.randn(10)
fast = w.clone()
inner = (x @ fast ** 2 - y).pow(2).mean()
(g,) = torch.autograd.grad(inner, fast, create_graph=True)
fast -= 0.1 * g
outer = (x @ fast ** 2 - y).pow(2).mean()
outer.backward()

# question: unsupported operand type(s) for *: 'float' and 'NoneType' in the second iteration.
# ask: explain error
# cause: w = w - lr * w.grad makes w a new tensor, which is no leaf and has no .grad afterwards
# line: w = w - 0.1 * w.grad
# cure: with torch.no_grad(): w -= 0.1 * w.grad
# harmful: retain_grad; retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(64)
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(15, 3), torch.randn(15)
for _ in range(3):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    w = w - 0.1 * w.grad

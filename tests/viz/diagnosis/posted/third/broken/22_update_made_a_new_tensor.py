# question: My two-line gradient descent works for one iteration, then: unsupported operand, NoneType.
# ask: explain w
# cause: w = w - lr * w.grad under no_grad makes a new tensor that does not require grad and has no .grad
# line: w = w - 0.1 * w.grad
# cure: w -= 0.1 * w.grad (in place)
# harmful: create_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(22)
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(10, 3), torch.randn(10)
loss = ((x @ w - y) ** 2).mean()
loss.backward()
with torch.no_grad():
    w = w - 0.1 * w.grad

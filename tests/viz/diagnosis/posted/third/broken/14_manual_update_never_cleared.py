# question: Hand written SGD with param.data -= lr * param.grad: it learns at first, then swings and explodes.
# ask: explain loss
# ask: diagnose step
# cause: the gradients are never set to zero, so each pass adds to those of all passes before
# line: loss.backward() || p.data -= 0.1 * p.grad
# cure: p.grad.zero_() (or p.grad = None) after the update
# harmful: raise the rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
net = nn.Linear(3, 1)
x = torch.randn(40, 3)
y = x @ torch.tensor([[1.0], [2.0], [3.0]])


def step():
    loss = F.mse_loss(net(x), y)
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad
    return loss

for _ in range(20):
    loss = step()

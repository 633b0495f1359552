# question: I write the update by hand under no_grad and set grad to None.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(25)
params = [torch.randn(4, 1, requires_grad=True), torch.zeros(1, requires_grad=True)]
x = torch.randn(30, 4)
y = x @ torch.ones(4, 1) - 2


def step():
    loss = F.mse_loss(x @ params[0] + params[1], y)
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= 0.1 * p.grad
            p.grad = None
    return loss


for _ in range(30):
    loss = step()

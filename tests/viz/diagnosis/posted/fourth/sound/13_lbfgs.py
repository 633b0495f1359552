# question: LBFGS with a complete closure.
# ask: explain loss
# ask: diagnose fit
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
a, b = torch.randn(30, 4), torch.randn(30)
w = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.LBFGS([w], lr=0.5)


def closure():
    optimizer.zero_grad()
    loss = ((a @ w - b) ** 2).mean()
    loss.backward()
    return loss


def fit():
    return optimizer.step(closure)

for _ in range(4):
    loss = fit()

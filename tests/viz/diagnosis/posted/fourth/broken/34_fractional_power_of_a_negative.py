# question: I fit y = (a*x + b)**p and after some iterations everything is nan.
# ask: explain a
# ask: diagnose step
# cause: a*x + b is negative for some x, a negative number to the power of a fraction is nan
# line: pred = (a * x + b) ** p
# cure: clamp the base above 0, or softplus
# harmful: nan_to_num on the parameters
import torch
from torch import nn
import torch.nn.functional as F

x = torch.linspace(-1, 2, 20)
y = (x + 2) ** 1.5
a = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(0.2, requires_grad=True)
p = torch.tensor(1.2, requires_grad=True)
opt = torch.optim.Adam([a, b, p], lr=0.05)


def step():
    pred = (a * x + b) ** p
    loss = (pred - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(5):
    loss = step()

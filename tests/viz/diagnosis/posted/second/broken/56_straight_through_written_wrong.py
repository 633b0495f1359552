# question: My custom sign layer: everything before it gets no useful gradient.
# ask: explain first_w
# ask: diagnose step
# cause: the backward of the custom Function returns grad multiplied by zero (the true derivative of sign), not a straight-through gradient
# line: return grad_output * 0
# cure: return grad_output (straight-through), perhaps only where abs(x) <= 1
# harmful: raise the learning rate
import torch
from torch import nn


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 0


torch.manual_seed(56)
first, second = nn.Linear(3, 8), nn.Linear(8, 1)
first_w = first.weight
opt = torch.optim.Adam([{"params": first.parameters()}, {"params": second.parameters()}], lr=0.01)
x = torch.randn(32, 3)
y = x[:, :1] * x[:, 1:2]


def step():
    codes = Binarize.apply(first(x))
    loss = (second(codes) - y).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

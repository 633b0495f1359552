# question: Layer two trains, layer one has a gradient full of zeros though the activation is tanh and inputs are fine.
# ask: explain w1
# ask: diagnose step
# cause: a hook on the hidden tensor multiplies the gradient by zero
# line: hidden.register_hook(lambda g: g * 0)
# cure: remove the hook
# harmful: other initialisation
import torch
from torch import nn

torch.manual_seed(55)
one, two = nn.Linear(4, 6), nn.Linear(6, 1)
w1 = one.weight
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.05)
x = torch.randn(40, 4)
y = torch.sin(2 * x[:, :1])


def step():
    hidden = torch.tanh(one(x))
    hidden.register_hook(lambda g: g * 0)
    loss = (two(hidden) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

# question: A ReLU RNN that starts at the identity, with clipping.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(30)
W = torch.eye(5).requires_grad_()
U = (0.1 * torch.randn(2, 5)).requires_grad_()
v = torch.full((5,), 0.1, requires_grad=True)
x = torch.rand(20, 8, 2)
y = x.mean((0, 2))
opt = torch.optim.SGD([W, U, v], lr=0.01)


def step():
    h = torch.zeros(8, 5)
    for t in range(20):
        h = torch.relu(h @ W + x[t] @ U)
    loss = ((h @ v - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([W, U, v], 1.0)
    opt.step()
    return loss

for _ in range(10):
    loss = step()

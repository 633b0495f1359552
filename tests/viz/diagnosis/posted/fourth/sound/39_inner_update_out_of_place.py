# question: MAML with fast weights that are new tensors.
# ask: explain outer
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(39)
w = torch.randn(3, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.05)
x, y = torch.randn(10, 3), torch.randn(10)


def step():
    inner = (x @ w - y).pow(2).mean()
    (g,) = torch.autograd.grad(inner, w, create_graph=True)
    fast = w - 0.1 * g
    outer = (x @ fast - y).pow(2).mean()
    opt.zero_grad()
    outer.backward()
    opt.step()
    return outer

for _ in range(15):
    outer = step()

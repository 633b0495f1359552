# question: Only one of two parts is trained in each iteration.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(34)
U, V = nn.Parameter(torch.randn(8, 2)), nn.Parameter(torch.randn(6, 2))
ou, ov = torch.optim.SGD([U], lr=0.8), torch.optim.SGD([V], lr=0.8)
M = torch.randn(8, 2) @ torch.randn(2, 6)
turn = [0]


def step():
    loss = (U @ V.T - M).pow(2).mean()
    opt = ou if turn[0] % 2 == 0 else ov
    ou.zero_grad()
    ov.zero_grad()
    loss.backward()
    opt.step()
    turn[0] += 1
    return loss


for _ in range(30):
    loss = step()

# question: A learned threshold with a sigmoid.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(37)
x = torch.randn(30)
threshold = torch.tensor(0.3, requires_grad=True)
gain = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.Adam([threshold, gain], lr=0.05)
y = 2 * x * (x > 0.8)


def step():
    mask = torch.sigmoid((x - threshold) / 0.2)
    loss = (gain * mask * x - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

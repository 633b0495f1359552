# question: LoRA: B starts at zero, A is random, the base weight is frozen.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(7)
base = nn.Linear(8, 8)
base.requires_grad_(False)
A = nn.Parameter(0.1 * torch.randn(2, 8))
B = nn.Parameter(torch.zeros(8, 2))
opt = torch.optim.Adam([A, B], lr=0.02)
x = torch.randn(30, 8)
y = torch.roll(x, 1, 1)


def step():
    opt.zero_grad()
    loss = F.mse_loss(base(x) + x @ A.t() @ B.t(), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

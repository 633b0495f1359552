# question: The last layer of my residual branch is zero at the start (as in Fixup or LoRA).
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(17)
down, up, base = nn.Linear(6, 2, bias=False), nn.Linear(2, 6, bias=False), nn.Linear(6, 6)
nn.init.zeros_(up.weight)
base.requires_grad_(False)
opt = torch.optim.Adam([*down.parameters(), *up.parameters()], lr=0.05)
x = torch.randn(40, 6)
y = base(x) + x[:, :1]


def step():
    loss = F.mse_loss(base(x) + up(down(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: Some hidden units are never active, the rest learn well.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(18)
l1, l2 = nn.Linear(3, 16), nn.Linear(16, 1)
l1.bias.data[:3] = -9.0
opt = torch.optim.Adam([*l1.parameters(), *l2.parameters()], lr=0.03)
x = torch.randn(50, 3)
y = x.sum(1, keepdim=True)


def step():
    loss = F.mse_loss(l2(torch.relu(l1(x))), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

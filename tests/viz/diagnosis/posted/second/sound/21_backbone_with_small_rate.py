# question: The backbone has a rate a hundred times smaller than the head.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(21)
body, head = nn.Linear(5, 12), nn.Linear(12, 2)
opt = torch.optim.Adam([{"params": body.parameters(), "lr": 5e-4}, {"params": head.parameters()}], lr=5e-2)
x = torch.randn(60, 5)
y = (x[:, 2] > 0).long()


def step():
    loss = F.cross_entropy(head(F.relu(body(x))), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

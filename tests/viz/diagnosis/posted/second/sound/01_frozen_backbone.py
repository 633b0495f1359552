# question: Is it right that the backbone's grads are None? I freeze it on purpose and train the head.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
backbone = nn.Sequential(nn.Linear(6, 20), nn.ReLU()).requires_grad_(False)
head = nn.Linear(20, 2)
opt = torch.optim.Adam(head.parameters(), lr=0.05)
x = torch.randn(60, 6)
y = (x[:, 0] > 0).long()


def step():
    opt.zero_grad()
    loss = F.cross_entropy(head(backbone(x)), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

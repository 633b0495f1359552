# question: First the head is trained, then everything with a new optimizer.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(41)
body, head = nn.Linear(4, 6), nn.Linear(6, 1)
x = torch.randn(30, 4)
y = x.sum(1, keepdim=True)
body.requires_grad_(False)
first = torch.optim.SGD(head.parameters(), lr=0.05)
for _ in range(5):
    loss = F.mse_loss(head(torch.tanh(body(x))), y)
    first.zero_grad()
    loss.backward()
    first.step()
body.requires_grad_(True)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.02)


def step():
    loss = F.mse_loss(head(torch.tanh(body(x))), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(10):
    loss = step()

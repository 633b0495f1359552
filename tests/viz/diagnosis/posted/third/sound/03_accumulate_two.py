# question: Two micro-batches per step.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)
net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
x = torch.randn(20, 3)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    for xb, yb in zip(x.chunk(2), y.chunk(2)):
        loss = F.mse_loss(net(xb), yb) / 2
        loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: Sigmoid with BCELoss is right.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1), nn.Sigmoid())
opt = torch.optim.Adam(net.parameters(), lr=0.02)
x = torch.randn(40, 3)
y = (x[:, :1] > 0).float()


def step():
    opt.zero_grad()
    loss = F.binary_cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

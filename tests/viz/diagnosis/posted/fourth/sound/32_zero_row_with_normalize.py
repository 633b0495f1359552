# question: One row of counts is empty; F.normalize has an eps.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(32)
counts = torch.randint(0, 4, (12, 6)).float()
counts[5] = 0
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
goal = torch.randn(12, 3)


def step():
    loss = F.mse_loss(net(F.normalize(counts, dim=1)), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

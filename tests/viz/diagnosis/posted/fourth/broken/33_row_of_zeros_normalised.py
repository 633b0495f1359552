# question: Cosine similarities of word counts: the loss is nan from the first batch, one text is empty.
# ask: explain loss
# ask: diagnose step
# cause: one row of counts is zero; divided by its norm of 0 it is 0/0 = nan
# line: unit = counts / counts.norm(dim=1, keepdim=True) || counts[5] = 0
# cure: F.normalize(counts, dim=1), which has an eps
# harmful: nan_to_num on the loss
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(33)
counts = torch.randint(0, 4, (12, 6)).float()
counts[5] = 0
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
goal = torch.randn(12, 3)


def step():
    unit = counts / counts.norm(dim=1, keepdim=True)
    loss = F.mse_loss(net(unit), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(3):
    loss = step()

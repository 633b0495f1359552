# question: My triplet loss is exactly the margin from the first to the last epoch.
# ask: explain loss
# ask: diagnose step
# cause: the positive is given as the negative too, so both distances are equal, the loss is the margin and the gradient is zero
# line: loss = F.triplet_margin_loss(tower(a), tower(p), tower(p), margin=0.5)
# cure: give the negative n as the third argument
# harmful: larger margin; larger rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(6)
tower = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 4))
opt = torch.optim.Adam(tower.parameters(), lr=0.01)
a = torch.randn(20, 5)
p = a + 0.1 * torch.randn(20, 5)
n = torch.randn(20, 5)


def step():
    opt.zero_grad()
    loss = F.triplet_margin_loss(tower(a), tower(p), tower(p), margin=0.5)
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

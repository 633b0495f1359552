# question: Anchor, positive and negative are three tensors.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
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
    loss = F.triplet_margin_loss(tower(a), tower(p), tower(n), margin=1.5)
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

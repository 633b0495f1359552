# question: One layer is used twice in forward, on purpose (siamese net with negatives).
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
tower = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.SGD(tower.parameters(), lr=0.05)
a = torch.randn(16, 4)
b = a + 0.1 * torch.randn(16, 4)
n = torch.randn(16, 4)


def step():
    near = (tower(a) - tower(b)).pow(2).sum(1)
    far = (tower(a) - tower(n)).pow(2).sum(1)
    loss = torch.relu(near - far + 1.0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: My mean teacher never gets gradients and is not in the optimizer.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

import copy

torch.manual_seed(6)
student = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 2))
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.Adam(student.parameters(), lr=0.03)
x = torch.randn(50, 4)
y = (x[:, 0] > 0).long()


def step():
    scores = student(x)
    loss = F.cross_entropy(scores, y) + 0.1 * F.mse_loss(scores, teacher(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, p in zip(teacher.parameters(), student.parameters()):
            t.mul_(0.9).add_(0.1 * p)
    return loss


for _ in range(30):
    loss = step()

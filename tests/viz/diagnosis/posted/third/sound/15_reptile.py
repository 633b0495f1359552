# question: Meta learning: the inner weights are loaded anew for each task, the outer ones move.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
outer, inner = nn.Linear(2, 1), nn.Linear(2, 1)
opt = torch.optim.SGD(inner.parameters(), lr=0.05)


def step():
    inner.load_state_dict(outer.state_dict())
    slope = 1 + 0.1 * torch.randn(2, 1)
    for _ in range(3):
        x = torch.randn(10, 2)
        loss = F.mse_loss(inner(x), x @ slope)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        for p, q in zip(outer.parameters(), inner.parameters()):
            p += 0.2 * (q - p)
    return loss

for _ in range(20):
    loss = step()

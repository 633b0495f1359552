# question: I use gradient accumulation for a bigger batch and now the model is the same after the epoch as before.
# ask: explain loss
# ask: diagnose step
# cause: the epoch has 24 batches but the update happens only each 64th, so step is never reached
# line: if state["count"] % ACCUMULATE == 0:
# cure: a smaller ACCUMULATE (below the number of batches), or step once more at the end of the epoch
# harmful: a larger accumulation
import torch
from torch import nn
import torch.nn.functional as F

ACCUMULATE = 64
torch.manual_seed(42)
model = nn.Sequential(nn.Linear(5, 7), nn.ELU(), nn.Linear(7, 2))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
batches = [torch.randn(4, 5) for _ in range(24)]
state = {"count": 0}


def step():
    x = batches[state["count"] % 24]
    y = (x.sum(1) > 0).long()
    loss = F.cross_entropy(model(x), y) / ACCUMULATE
    loss.backward()
    state["count"] += 1
    if state["count"] % ACCUMULATE == 0:
        opt.step()
        opt.zero_grad()
    return loss


for _ in range(24):
    loss = step()

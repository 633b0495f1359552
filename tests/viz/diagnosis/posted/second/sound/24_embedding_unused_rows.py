# question: Most rows of my embedding have zero gradient.
# ask: explain loss
# ask: diagnose step
# ask: explain table
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(24)
emb, fc = nn.Embedding(500, 6, padding_idx=0), nn.Linear(6, 2)
table = emb.weight
opt = torch.optim.Adam([*emb.parameters(), *fc.parameters()], lr=0.05)
ids = torch.randint(0, 30, (40, 5))
y = (ids[:, 0] > 14).long()


def step():
    loss = F.cross_entropy(fc(emb(ids).sum(1)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

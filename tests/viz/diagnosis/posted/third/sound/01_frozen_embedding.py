# question: The embedding is frozen on purpose; the rest trains.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
words = nn.Embedding(20, 6)
words.weight.requires_grad_(False)
head = nn.Linear(6, 2)
opt = torch.optim.Adam(head.parameters(), lr=0.05)
ids = torch.randint(0, 20, (30, 4))
y = (ids.float().mean(1) > 9.5).long()


def step():
    opt.zero_grad()
    loss = F.cross_entropy(head(words(ids).mean(1)), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

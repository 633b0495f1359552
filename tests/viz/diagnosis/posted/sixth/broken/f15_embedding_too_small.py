# ask: explain error
# ask: diagnose for i in range(3)
# cause: token ids run from 1 to 20 but the embedding has 20 rows (0 to 19): id 20 is out of range.
# line: emb = nn.Embedding(20, 8)
# good: index 20 is out of range for 20 rows; make it 21 (or shift ids).
# harmful: clamp the ids/modulo.
import torch
from torch import nn
torch.manual_seed(14)
emb = nn.Embedding(20, 8)
lin = nn.Linear(8, 2)
opt = torch.optim.SGD([*emb.parameters(), *lin.parameters()], lr=0.1)
ids = torch.randint(1, 21, (50, 6))
y = torch.randint(0, 2, (50,))
for i in range(3):
    loss = nn.functional.cross_entropy(lin(emb(ids).mean(1)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()

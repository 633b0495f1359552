# question: Encoder embedding and output layer share one weight.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(12, 8)
        self.out = nn.Linear(8, 12, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, ids):
        return self.out(torch.tanh(self.emb(ids)))


torch.manual_seed(9)
lm = Tied()
opt = torch.optim.Adam(lm.parameters(), lr=0.05)
ids = torch.randint(0, 12, (40,))
nxt = (ids + 1) % 12


def step():
    opt.zero_grad()
    loss = F.cross_entropy(lm(ids), nxt)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: My embedding classifier gives the same scores for each sentence; the ids come from a scaled float table.
# ask: explain loss
# ask: diagnose step
# cause: the ids are scaled to 0..1 and then cast with long(), so each token becomes 0 and all inputs look the same
# line: scores = net(table.long())
# cure: use the integer ids (do not scale before the embedding)
# harmful: a larger embedding
import torch
from torch import nn
import torch.nn.functional as F


class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8)
        self.classify = nn.Linear(8, 2)

    def forward(self, ids):
        return self.classify(self.words(ids).mean(1))


torch.manual_seed(31)
ids = torch.randint(0, 50, (60, 7))
mood = (ids[:, 0] > 24).long()
table = ids.float() / 50
net = BagOfWords()
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    scores = net(table.long())
    loss = F.cross_entropy(scores, mood)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

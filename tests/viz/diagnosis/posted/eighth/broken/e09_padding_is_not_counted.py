# ask: explain error
# ask: diagnose for step in range(20)
# cause: table has len(vocab) rows, but ids run to len(vocab) (pad added).
# line: return self.back(self.look(t))
# line: out = bag(ids[:-1])
# line: bag = Bag(len(vocab), 6)
# line: index = {"<pad>": 0}
# line: for w in vocab:
# line: index[w] = len(index)
# cure: `Bag(len(index), 6)`/`len(vocab) + 1`.
# harmful: clamp/modulo of ids.
import torch
import torch.nn as nn

text = "the cat sat on the mat and the dog sat on the log".split()
vocab = sorted(set(text))
index = {"<pad>": 0}
for w in vocab:
    index[w] = len(index)

ids = torch.tensor([index[w] for w in text])


class Bag(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.look = nn.Embedding(size, dim)
        self.back = nn.Linear(dim, size)

    def forward(self, t):
        return self.back(self.look(t))


torch.manual_seed(8)
bag = Bag(len(vocab), 6)
opt = torch.optim.Adam(bag.parameters(), lr=1e-2)
for step in range(20):
    out = bag(ids[:-1])
    loss = nn.functional.cross_entropy(out, ids[1:])
    opt.zero_grad()
    loss.backward()
    opt.step()

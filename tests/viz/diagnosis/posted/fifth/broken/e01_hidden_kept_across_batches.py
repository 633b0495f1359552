# ask: explain error
# ask: diagnose for t in range(0, 60, 10)
# cause: the hidden state of the batch before, with its freed graph, is fed into the next batch.
# line: out, hidden = rnn(chunk, hidden)
# good: hidden comes from the former iteration; detach it between batches (hidden = hidden.detach()).
# harmful: retain_graph=True as the cure.
import torch
from torch import nn
torch.manual_seed(0)
rnn = nn.GRU(2, 8, batch_first=True)
head = nn.Linear(8, 1)
opt = torch.optim.Adam(list(rnn.parameters()) + list(head.parameters()), lr=1e-3)
series = torch.randn(4, 60, 2)
hidden = torch.zeros(1, 4, 8)
for t in range(0, 60, 10):
    chunk = series[:, t:t + 10]
    out, hidden = rnn(chunk, hidden)
    loss = (head(out)[:, :, 0] - chunk.sum(2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

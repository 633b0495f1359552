# question: I detach the hidden state as in the tutorial and still get "a second time".
# ask: explain error
# cause: only h is detached between the batches, the cell state c keeps the old graph
# line: h = h.detach() || out, (h, c) = lstm(chunk, (h, c))
# cure: c = c.detach() as well
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(41)
lstm = nn.LSTM(3, 5)
head = nn.Linear(5, 1)
opt = torch.optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
series = torch.randn(24, 2, 3)
h, c = torch.zeros(1, 2, 5), torch.zeros(1, 2, 5)
for chunk in series.split(6):
    h = h.detach()
    out, (h, c) = lstm(chunk, (h, c))
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

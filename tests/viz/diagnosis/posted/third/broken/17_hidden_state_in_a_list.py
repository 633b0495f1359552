# question: RNN cell by hand, 'Trying to backward through the graph a second time' in the second batch.
# ask: explain error
# cause: the hidden state of the first batch is carried into the second with its graph
# line: h = torch.tanh(cell(torch.cat([xb, h], 1)))
# cure: h = h.detach() at the start of each batch
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(17)
cell, out = nn.Linear(3 + 4, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.01)
h = torch.zeros(5, 4)
for batch in range(3):
    xb, yb = torch.randn(5, 3), torch.randn(5, 1)
    h = torch.tanh(cell(torch.cat([xb, h], 1)))
    loss = F.mse_loss(out(h), yb)
    opt.zero_grad()
    loss.backward()
    opt.step()

# question: My RNN should remember the first symbol but it never learns to, the loss stays at log(2).
# ask: explain loss
# ask: diagnose step
# cause: the hidden state is detached at each time step, so no gradient flows back through time to the first symbol
# line: h = cell(sequence[:, t], h.detach())
# cure: detach only between sequences (or each k steps), not at each time step
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(50)
cell = nn.RNNCell(2, 8)
readout = nn.Linear(8, 2)
opt = torch.optim.Adam(list(cell.parameters()) + list(readout.parameters()), lr=0.02)


def step():
    sequence = torch.randn(32, 6, 2)
    target = (sequence[:, 0, 0] > 0).long()
    h = torch.zeros(32, 8)
    for t in range(6):
        h = cell(sequence[:, t], h.detach())
    loss = F.cross_entropy(readout(h), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

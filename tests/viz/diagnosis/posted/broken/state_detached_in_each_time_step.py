import torch
from torch import nn

torch.manual_seed(0)
cell = nn.RNNCell(2, 8)
head = nn.Linear(8, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.01)
sequence = torch.randn(10, 16, 2)
first = sequence[0, :, :1]
for epoch in range(8):
    h = torch.zeros(16, 8)
    for t in range(10):
        h = cell(sequence[t], h.detach())
        if t == 8:
            before_last = h.detach()
    loss = nn.functional.mse_loss(head(h), first)
    opt.zero_grad()
    loss.backward()
    one_step = torch.autograd.grad(nn.functional.mse_loss(head(cell(sequence[9], before_last)), first), cell.weight_hh)[0].norm()
    opt.step()

# ask: explain loss
# ask: diagnose for it in range(100)
# cause: the hidden state is detached at each time step, so no gradient goes back through time and the first input can't be remembered.
# line: h = cell(x[:, t], h.detach())
# good: h.detach() in the time loop cuts the history; detach only between sequences.
# harmful: retain_graph; detach more.
import torch
from torch import nn
torch.manual_seed(4)
cell = nn.GRUCell(2, 16)
head = nn.Linear(16, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=1e-2)
for it in range(100):
    x = torch.randn(32, 6, 2)
    y = x[:, 0, :1]
    h = torch.zeros(32, 16)
    for t in range(6):
        h = cell(x[:, t], h.detach())
    loss = nn.functional.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

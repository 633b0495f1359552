# ask: explain loss
# ask: diagnose for epoch in range(6)
# cause: sound; what looks suspicious and is meant: a detached state.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(19)
wave = torch.sin(torch.arange(1201) * 0.2)
cell, out = nn.LSTM(1, 20), nn.Linear(20, 1)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()], lr=1e-2)
for epoch in range(6):
    state = None
    for k in range(0, 1200, 30):
        x, y = wave[k:k + 30].view(30, 1, 1), wave[k + 1:k + 31].view(30, 1, 1)
        h, state = cell(x, state)
        loss = (out(h) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = tuple(s.detach() for s in state)
print("loss", loss.item())

# ask: explain loss
# ask: diagnose for epoch in range(3)
# cause: truncated BPTT with the LSTM state detached between chunks.
# good: nothing found.
# harmful: remove detach.
import torch
from torch import nn
torch.manual_seed(8)
lstm = nn.LSTM(1, 12, batch_first=True)
readout = nn.Linear(12, 1)
params = list(lstm.parameters()) + list(readout.parameters())
opt = torch.optim.Adam(params, lr=1e-2)
t = torch.linspace(0, 30, 201)
wave = torch.sin(t).reshape(1, -1, 1)
for epoch in range(3):
    state = None
    for k in range(0, 200, 20):
        xin, xout = wave[:, k:k + 20], wave[:, k + 1:k + 21]
        if state is not None:
            state = tuple(s.detach() for s in state)
        out, state = lstm(xin, state)
        loss = nn.functional.mse_loss(readout(out), xout)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
print("loss", loss.item())

# question: I detach the hidden state between chunks (truncated BPTT).
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(12)
lstm, out = nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*lstm.parameters(), *out.parameters()], lr=0.02)
wave = torch.sin(torch.arange(33.0) / 3)[None, :, None]


def step():
    state, total = None, 0.0
    for a in range(0, 32, 8):
        h, state = lstm(wave[:, a:a + 8], state)
        state = tuple(v.detach() for v in state)
        part = F.mse_loss(out(h), wave[:, a + 1:a + 9])
        opt.zero_grad()
        part.backward()
        opt.step()
        total += part.item()
    return torch.tensor(total)


for _ in range(30):
    loss = step()

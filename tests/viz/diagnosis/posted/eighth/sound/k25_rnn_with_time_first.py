# ask: explain loss
# ask: diagnose for it in range(250)
# cause: sound; what looks suspicious and is meant: time is the first axis.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(24)
rnn = nn.RNN(2, 24)
fc = nn.Linear(24, 2)
opt = torch.optim.Adam([*rnn.parameters(), *fc.parameters()], lr=5e-3)
for it in range(250):
    x = torch.randn(8, 40, 2)
    y = (x[:, :, 0].sum(0) > 0).long()
    _, h = rnn(x)
    loss = nn.functional.cross_entropy(fc(h[-1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", (fc(h[-1]).argmax(1) == y).float().mean().item())

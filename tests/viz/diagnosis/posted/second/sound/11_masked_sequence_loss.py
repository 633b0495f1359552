# question: Gradients of padded positions are zero.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
rnn, out = nn.GRU(2, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=0.03)
x = torch.randn(20, 6, 2)
y = x.sum(2)
mask = (torch.arange(6)[None] < torch.randint(2, 7, (20, 1))).float()


def step():
    h, _ = rnn(x)
    loss = ((out(h).squeeze(2) - y).pow(2) * mask).sum() / mask.sum().clamp(min=1)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

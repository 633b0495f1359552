# question: I reordered channels and time with view and my model cannot find a simple channel rule.
# ask: explain loss
# ask: diagnose step
# cause: view does not swap axes, it only cuts the memory anew: channels and times are mixed
# line: frames = signal.view(48, 10, 4)
# cure: signal.permute(0, 2, 1) (or transpose(1, 2))
# harmful: reshape in place of view
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(52)
level = torch.randn(48, 4, 1)
signal = level + 0.5 * torch.randn(48, 4, 10)
kind = level.squeeze(2).argmax(1)
net = nn.Linear(4, 4)
opt = torch.optim.Adam(net.parameters(), lr=0.1)


def step():
    frames = signal.view(48, 10, 4)
    scores = net(frames).mean(1)
    loss = F.cross_entropy(scores, kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

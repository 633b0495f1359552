# question: My own binary cross entropy becomes nan when the network gets confident.
# ask: explain loss
# ask: diagnose step
# cause: sigmoid reaches exactly 1 (or 0), and log(1 - p) is log(0) = -inf; 0 * inf is nan
# line: loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
# cure: binary_cross_entropy_with_logits on the scores, or clamp p
# harmful: nan_to_num; gradient clipping
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
score = nn.Linear(2, 1)
opt = torch.optim.SGD(score.parameters(), lr=50.0)
x = 10 * torch.randn(30, 2)
y = (x[:, :1] > 0).float()


def step():
    p = torch.sigmoid(score(x))
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

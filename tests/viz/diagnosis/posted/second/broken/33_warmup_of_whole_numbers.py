# question: With my warm-up schedule the loss does not change at all in the first 30 iterations.
# ask: explain loss
# ask: diagnose step
# cause: step // warmup is a whole-number division: the factor is 0 until the warm-up ends, so the rate is 0
# line: return min(1, k // warmup)
# cure: use / in place of // (and start with k + 1)
# harmful: a longer warm-up
import torch
from torch import nn

warmup = 100


def factor(k):
    return min(1, k // warmup)


torch.manual_seed(33)
net = nn.Sequential(nn.Linear(3, 9), nn.SiLU(), nn.Linear(9, 1))
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=factor)
x = torch.randn(20, 3)
y = x.norm(dim=1, keepdim=True)


def step():
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
    sched.step()
    return loss


for _ in range(30):
    loss = step()

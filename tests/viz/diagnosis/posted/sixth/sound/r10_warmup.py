# ask: explain loss
# ask: diagnose for step in range(total)
# cause: linear warm-up from a rate of zero; scheduler per batch on purpose.
# good: nothing found (or says the first rate is 0 only at first).
# harmful: move scheduler.step to epochs.
import torch
from torch import nn
torch.manual_seed(9)
net = nn.Sequential(nn.Linear(5, 24), nn.GELU(), nn.LayerNorm(24), nn.Linear(24, 2))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.01)
total, warm = 100, 10
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: s / warm if s < warm else max(0.0, (total - s) / (total - warm)))
x = torch.randn(160, 5)
y = (x[:, 0] > x[:, 1]).long()
for step in range(total):
    i = torch.randint(0, 160, (32,))
    loss = nn.functional.cross_entropy(net(x[i]), y[i])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
print("loss", loss.item())

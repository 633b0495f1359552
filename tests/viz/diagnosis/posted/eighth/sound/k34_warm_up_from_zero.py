# ask: explain loss
# ask: diagnose for step in range(total)
# cause: sound; what looks suspicious and is meant: rate 0 in the first step.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

torch.manual_seed(33)
x = torch.randn(320, 6)
y = torch.tanh(x[:, :1]) + 0.5 * x[:, 1:2]
net = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 1))
opt = torch.optim.AdamW(net.parameters(), lr=2e-2)
warm, total = 30, 400
sched = LambdaLR(opt, lambda s: s / warm if s < warm else max(0.0, (total - s) / (total - warm)))
for step in range(total):
    part = torch.randint(0, 320, (32,))
    loss = nn.functional.mse_loss(net(x[part]), y[part])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    sched.step()
print("mse", nn.functional.mse_loss(net(x), y).item(), "var", y.var().item())

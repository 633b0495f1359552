# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sound; what looks suspicious and is meant: weights of samples.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(37)
x = torch.randn(400, 5)
y = (x[:, 0] + 0.5 * x[:, 1] > 1.6).float()
w = torch.where(y > 0, (1 - y).sum() / y.sum(), torch.tensor(1.0))
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(200):
    per = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y, reduction="none")
    loss = (per * w).sum() / w.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
hit = (net(x).squeeze(1) > 0).float()
print("recall", (hit * y).sum().item() / y.sum().item(), "acc", (hit == y).float().mean().item())

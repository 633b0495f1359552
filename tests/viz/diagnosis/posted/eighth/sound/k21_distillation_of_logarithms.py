# ask: explain loss
# ask: diagnose for step in range(400)
# cause: sound; what looks suspicious and is meant: log_target.
# good: nothing found.
# harmful: any claim of a fault.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(20)
x = torch.randn(500, 6)
y = (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 1).long()
T = 4.0
tea = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 3))
o = torch.optim.Adam(tea.parameters(), lr=1e-2)
for _ in range(200):
    l = F.cross_entropy(tea(x), y)
    o.zero_grad()
    l.backward()
    o.step()
tea.eval().requires_grad_(False)
stu = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(stu.parameters(), lr=1e-2)
for step in range(400):
    s = stu(x)
    soft = F.kl_div(F.log_softmax(s / T, 1), F.log_softmax(tea(x) / T, 1), reduction="batchmean", log_target=True)
    loss = 0.7 * T * T * soft + 0.3 * F.cross_entropy(s, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("acc", (stu(x).argmax(1) == y).float().mean().item())

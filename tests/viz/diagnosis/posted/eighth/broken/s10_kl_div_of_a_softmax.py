# ask: explain loss
# ask: diagnose for step in range(600)
# cause: `F.kl_div` wants log-probabilities as first argument, gets probabilities: it just pushes all mass on the teacher's top class (loss negative).
# line: mine = F.softmax(small(X[idx]) / TEMP, dim=1)
# line: loss = F.kl_div(mine, soft, reduction="batchmean") * TEMP ** 2
# cure: `F.log_softmax` for `mine`, or `mine.log()` in the loss.
# harmful: `abs()` of the loss; log_softmax of the *target* without log_target; swapping arguments.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)
X = torch.randn(512, 8)
big = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5))
with torch.no_grad():
    for p in big.parameters():
        p.mul_(3.0)
big.eval()
small = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5))
opt = torch.optim.Adam(small.parameters(), lr=5e-3)
TEMP = 2.0

for step in range(600):
    idx = torch.randint(0, 512, (128,))
    with torch.no_grad():
        soft = F.softmax(big(X[idx]) / TEMP, dim=1)
    mine = F.softmax(small(X[idx]) / TEMP, dim=1)
    loss = F.kl_div(mine, soft, reduction="batchmean") * TEMP ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 150 == 0:
        print(step, loss.item())

with torch.no_grad():
    a = F.log_softmax(big(X) / TEMP, 1)
    b = F.log_softmax(small(X) / TEMP, 1)
    print("divergence", (a.exp() * (a - b)).sum(1).mean().item())

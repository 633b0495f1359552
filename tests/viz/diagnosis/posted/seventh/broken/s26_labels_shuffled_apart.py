# ask: explain loss
# ask: diagnose for epoch in range(15)
# cause: x and y are shuffled with two different permutations: labels no longer belong to their inputs.
# line: yb_all = y[torch.randperm(n)]
# cure: one permutation for both.
# harmful: larger model/more epochs (memorises noise); no shuffle of x only.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(25)
n = 300
x = torch.randn(n, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.2)

for epoch in range(15):
    xb_all = x[torch.randperm(n)]
    yb_all = y[torch.randperm(n)]
    for i in range(0, n, 30):
        loss = F.cross_entropy(model(xb_all[i:i + 30]), yb_all[i:i + 30])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))

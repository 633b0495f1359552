# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: inputs and labels are shuffled by two different permutations, so labels do not belong to their inputs.
# line: xs, ys = x[torch.randperm(200)], y[torch.randperm(200)]
# good: two randperm calls; use one permutation for both.
# harmful: claims everything is fine AND advises e.g. a bigger lr; or a cure unrelated that is asserted as the cause.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.randn(200, 4)
y = (x.sum(1) > 0).long()
net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(40):
    xs, ys = x[torch.randperm(200)], y[torch.randperm(200)]
    for k in range(0, 200, 50):
        logits = net(xs[k:k + 50])
        loss = F.cross_entropy(logits, ys[k:k + 50])
        opt.zero_grad()
        loss.backward()
        opt.step()
print("loss", loss.item(), "acc", (net(x).argmax(1) == y).float().mean().item())

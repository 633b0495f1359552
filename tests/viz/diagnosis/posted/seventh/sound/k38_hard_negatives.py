# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: triplet loss with hard-negative mining done under no_grad (only indices).
# good: nothing found.
# harmful: "no_grad cuts the gradient".
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(37)
protos = torch.randn(5, 12)
lab = torch.arange(5).repeat_interleave(24)
x = protos[lab] + 1.3 * torch.randn(120, 12)
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 8))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
triplet = nn.TripletMarginLoss(margin=0.5)
same = lab[:, None] == lab[None, :]

for epoch in range(60):
    z = F.normalize(net(x), dim=1)
    with torch.no_grad():                          # mining gives indices only
        d = torch.cdist(z, z)
        pos = d.masked_fill(~same, -1).argmax(1)
        neg = d.masked_fill(same, 9).argmin(1)
    loss = triplet(z, z[pos], z[neg])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

# ask: explain stress
# ask: diagnose for it in range(10)
# cause: the distance of each point to itself is sqrt(0), whose derivative is infinite, times 0 gives NaN gradients.
# line: dist = diff.pow(2).sum(-1).sqrt()
# good: sqrt at 0 (the diagonal) makes NaN in backward; add eps within the sqrt / leave the diagonal out.
# harmful: nan_to_num on the loss; clip gradients; lower lr.
import torch
from torch import nn
torch.manual_seed(3)
enc = nn.Linear(6, 2)
opt = torch.optim.SGD(enc.parameters(), lr=0.01)
pts = torch.randn(10, 6)
target = torch.cdist(pts, pts)
for it in range(10):
    z = enc(pts)
    diff = z[:, None] - z[None]
    dist = diff.pow(2).sum(-1).sqrt()
    stress = (dist - target).pow(2).mean()
    opt.zero_grad()
    stress.backward()
    opt.step()
print("stress", stress.item(), enc.weight[0, 0].item())

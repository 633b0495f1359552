# ask: explain loss
# ask: diagnose for step in range(400)
# cause: sound; what looks suspicious and is meant: B starts at zero, so A has a gradient of zero in step 1.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, base, r=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.1)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


torch.manual_seed(38)
net = nn.Sequential(LowRank(nn.Linear(8, 32)), nn.ReLU(), LowRank(nn.Linear(32, 1)))
opt = torch.optim.Adam((p for p in net.parameters() if p.requires_grad), lr=1e-2)
x = torch.randn(300, 8)
y = x[:, :1] - 2 * x[:, 3:4].abs()
for step in range(400):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("mse", loss.item(), "var", y.var().item())

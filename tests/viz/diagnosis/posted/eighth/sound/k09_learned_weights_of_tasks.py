# ask: explain total
# ask: diagnose for k in range(300)
# cause: sound; what looks suspicious and is meant: the loss is negative.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Joint(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.ReLU())
        self.reg, self.cls = nn.Linear(32, 1), nn.Linear(32, 3)
        self.s = nn.Parameter(torch.zeros(2))

    def loss(self, x, yr, yc):
        h = self.body(x)
        a = nn.functional.mse_loss(self.reg(h).squeeze(1), yr)
        b = nn.functional.cross_entropy(self.cls(h), yc)
        return (torch.exp(-self.s) * torch.stack([a, b]) + self.s).sum(), a, b


torch.manual_seed(8)
x = torch.randn(300, 5)
yr = 3 * x[:, 0] - x[:, 1]
yc = x[:, 2:].argmax(1)
j = Joint()
opt = torch.optim.Adam(j.parameters(), lr=1e-2)
for k in range(300):
    total, a, b = j.loss(x, yr, yc)
    opt.zero_grad()
    total.backward()
    opt.step()
print("total", total.item(), "mse", a.item(), "ce", b.item())

# ask: explain error
# ask: diagnose for step in range(10)
# cause: BCELoss wants float targets, gets long.
# line: loss = loss_fn(g(xs), ys)
# line: ys = (xs.sum(1, keepdim=True) > 0).long()
# cure: `.float()` of ys.
# harmful: `.long()` of output; removing sigmoid; CrossEntropy on one column.
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 1))

    def forward(self, x):
        return torch.sigmoid(self.body(x))


torch.manual_seed(4)
xs = torch.randn(64, 6)
ys = (xs.sum(1, keepdim=True) > 0).long()
g = Gate()
opt = torch.optim.RMSprop(g.parameters(), lr=1e-3)
loss_fn = nn.BCELoss()
for step in range(10):
    loss = loss_fn(g(xs), ys)
    opt.zero_grad()
    loss.backward()
    opt.step()

# ask: explain loss
# ask: diagnose for epoch in range(200)
# cause: multi-task with learnt log-variances (loss may become negative).
# good: nothing found.
# harmful: "negative loss is wrong"; freezing log_vars.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.Tanh())
        self.depth = nn.Linear(32, 1)
        self.normal = nn.Linear(32, 3)
        self.log_vars = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.body(x)
        return self.depth(h), self.normal(h)


torch.manual_seed(16)
x = torch.randn(200, 5)
depth = 3 * x[:, :1]
normal = 0.3 * torch.tanh(x[:, 1:4])
model = Net()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(200):
    d, n = model(x)
    losses = torch.stack([F.mse_loss(d, depth), F.mse_loss(n, normal)])
    loss = (torch.exp(-model.log_vars) * losses + model.log_vars).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item(), losses.detach(), model.log_vars.detach())

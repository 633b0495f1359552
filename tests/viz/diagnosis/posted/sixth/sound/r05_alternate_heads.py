# ask: explain loss
# ask: diagnose for it in range(100)
# cause: two tasks in turn; in each iteration only one head is used.
# good: nothing found.
# harmful: remove a head from the optimizer.
import torch
from torch import nn
torch.manual_seed(4)
class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.ReLU())
        self.heads = nn.ModuleDict({"sum": nn.Linear(16, 1), "diff": nn.Linear(16, 1)})
    def forward(self, x, task):
        return self.heads[task](self.body(x))
net = Multi()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(100):
    task = ("sum", "diff")[it % 2]
    x = torch.randn(32, 4)
    y = x[:, :1] + x[:, 1:2] if task == "sum" else x[:, :1] - x[:, 1:2]
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x, task), y)
    loss.backward()
    opt.step()
print("loss", loss.item())

# ask: explain loss
# ask: diagnose for step in range(120)
# cause: torch.utils.checkpoint for two blocks (use_reentrant=False).
# good: nothing found.
# harmful: "forward run twice".
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class DeepMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(6, 32)
        self.blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 32), nn.GELU()) for _ in range(2)])
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        h = self.stem(x)
        for b in self.blocks:
            h = h + checkpoint(b, h, use_reentrant=False)
        return self.head(h)


torch.manual_seed(22)
net = DeepMLP()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
x = torch.randn(100, 6)
y = torch.cos(x[:, :1]) * x[:, 1:2]

for step in range(120):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())

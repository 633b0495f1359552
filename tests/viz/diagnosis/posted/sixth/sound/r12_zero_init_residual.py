# ask: explain net[1].f1.weight
# ask: diagnose for i in range(100)
# cause: the residual branch's last layer starts at zero (Fixup/zero-gamma); inner layers have zero gradients in the first step only.
# good: nothing found.
# harmful: random init as a must.
import torch
from torch import nn
torch.manual_seed(11)
class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.f1, self.f2 = nn.Linear(n, n), nn.Linear(n, n)
        nn.init.zeros_(self.f2.weight)
        nn.init.zeros_(self.f2.bias)
    def forward(self, x):
        return x + self.f2(torch.relu(self.f1(x)))
net = nn.Sequential(nn.Linear(3, 16), Block(16), Block(16), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
x = torch.randn(100, 3)
y = x.abs().sum(1, keepdim=True)
for i in range(100):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

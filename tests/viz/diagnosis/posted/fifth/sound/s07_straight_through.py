# ask: explain loss
# ask: diagnose for i in range(60)
# cause: straight-through binarisation: x + (sign(x) - x).detach().
# good: nothing found.
# harmful: remove detach.
import torch
from torch import nn
torch.manual_seed(6)
class BinaryNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 16)
        self.b = nn.Linear(16, 2)
    def forward(self, x):
        h = torch.tanh(self.a(x))
        h = h + (torch.sign(h) - h).detach()
        return self.b(h)
net = BinaryNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(100, 6)
y = (x[:, 0] > x[:, 1]).long()
for i in range(60):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
print("loss", loss.item())

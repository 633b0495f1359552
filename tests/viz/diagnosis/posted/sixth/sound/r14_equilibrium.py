# ask: explain loss
# ask: diagnose for i in range(80)
# cause: a deep equilibrium layer: the fixed point is found under no_grad, the last iteration with gradients.
# good: nothing found.
# harmful: remove no_grad.
import torch
from torch import nn
torch.manual_seed(13)
class DEQ(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.U, self.W = nn.Linear(n, n), nn.Linear(n, n, bias=False)
        nn.init.normal_(self.W.weight, std=0.05)
    def f(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))
    def forward(self, x):
        z = torch.zeros_like(x)
        with torch.no_grad():
            for _ in range(15):
                z = self.f(z, x)
        return self.f(z, x)
net = nn.Sequential(DEQ(6), nn.Linear(6, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(80, 6)
y = torch.sin(x[:, :1]) + x[:, 1:2]
for i in range(80):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

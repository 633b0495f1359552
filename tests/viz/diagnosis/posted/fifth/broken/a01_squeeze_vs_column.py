# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: pred is squeezed to (64,) while y stays (64, 1): the difference broadcasts to (64, 64), so the net learns the mean of y.
# line: return ((pred.squeeze() - target) ** 2).mean()
# good: shapes (64,) and (64,1) broadcast to (64,64); give both the same shape (drop the squeeze or squeeze target too).
# harmful: lower the rate / anything on zero_grad, or a cure that reshapes to (64,64).
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
    def forward(self, x):
        return self.body(x)
def mse(pred, target):
    return ((pred.squeeze() - target) ** 2).mean()
x = torch.randn(64, 4)
y = x[:, :1] * 2 - x[:, 1:2]
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(150):
    opt.zero_grad()
    loss = mse(net(x), y)
    loss.backward()
    opt.step()
metric = ((net(x) - y) ** 2).mean().item()
print("loss", loss.item(), "true mse", metric)

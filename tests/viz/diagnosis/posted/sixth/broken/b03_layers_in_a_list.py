# ask: explain loss
# ask: diagnose for i in range(100)
# cause: the hidden layers are held in a Python list, so parameters() doesn't hold them and the optimizer trains only the last layer.
# line: self.layers = [nn.Linear(2 if i == 0 else 12, 12) for i in range(3)]
# good: hidden layers aren't registered; use nn.ModuleList.
# harmful: anything that leaves them untrained; "freeze".
import torch
from torch import nn
torch.manual_seed(2)
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2 if i == 0 else 12, 12) for i in range(3)]
        self.last = nn.Linear(12, 1)
    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.last(x)
net = Deep()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(100, 2)
y = (x[:, :1] * x[:, 1:]).sign()
for i in range(100):
    loss = nn.functional.soft_margin_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

# ask: explain loss
# ask: diagnose for epoch in range(80)
# cause: three Linear layers without an activation between are one linear map; the ring can't be separated.
# line: return self.c(self.b(self.a(x)))
# good: there is no non-linearity between the Linear layers.
# harmful: asserts another cause.
import torch
from torch import nn
torch.manual_seed(11)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 32)
        self.b = nn.Linear(32, 32)
        self.c = nn.Linear(32, 1)
    def forward(self, x):
        return self.c(self.b(self.a(x)))
x = torch.randn(200, 2)
y = (x.norm(dim=1, keepdim=True) < 1.2).float()
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for epoch in range(80):
    loss = bce(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

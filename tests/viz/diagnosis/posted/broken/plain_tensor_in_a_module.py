import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(4, requires_grad=True)
        self.linear = nn.Linear(4, 1)

    def forward(self, x):
        return self.linear(x * self.scale)


torch.manual_seed(0)
model = Scaled()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(20, 4)
y = torch.randn(20, 1)
for _ in range(20):
    opt.zero_grad()
    loss = (model(x) - y).square().mean()
    loss.backward()
    opt.step()

import torch
from torch import nn


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 6)
        self.second = nn.Linear(6, 1)

    def forward(self, x):
        fired = (self.first(x) > 0).float()
        return torch.sigmoid(self.second(fired))


torch.manual_seed(0)
net = Perceptron()
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x = torch.randn(40, 2)
y = (x[:, :1] * x[:, 1:] > 0).float()
criterion = nn.BCELoss()
for epoch in range(10):
    opt.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    opt.step()

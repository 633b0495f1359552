import torch
from torch import nn

torch.manual_seed(6)
net = nn.Sequential(
    nn.Linear(6, 8),
    nn.ReLU(),
    nn.Linear(8, 1),
)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.rand(32, 6) * 10
y = x[:, :1] / 10
losses = []
for _ in range(10):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

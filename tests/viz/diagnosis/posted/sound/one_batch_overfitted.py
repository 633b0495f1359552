import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 5))
adam = torch.optim.Adam(net.parameters(), lr=0.02)
x_single, y_single = torch.randn(8, 10), torch.randint(0, 5, (8,))
losses = []
for i in range(30):
    loss = nn.functional.cross_entropy(net(x_single), y_single)
    adam.zero_grad()
    loss.backward()
    adam.step()
    losses.append(loss.item())

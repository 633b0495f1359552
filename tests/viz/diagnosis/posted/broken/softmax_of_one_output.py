import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Softmax(dim=1))
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(net.parameters())
x = torch.randn(20, 4)
spam = torch.randint(0, 2, (20, 1)).float()
losses = []
for epoch in range(8):
    optimizer.zero_grad()
    loss = criterion(net(x), spam)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

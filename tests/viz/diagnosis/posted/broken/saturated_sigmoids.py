import torch
from torch import nn

torch.manual_seed(0)
pixels = torch.randint(0, 256, (40, 64)).float()
digits = torch.randint(0, 2, (40, 1)).float()

net = nn.Sequential(
    nn.Linear(64, 16),
    nn.Sigmoid(),
    nn.Linear(16, 1),
)
nn.init.normal_(net[0].weight, std=1.0)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(6):
    optimizer.zero_grad()
    loss = criterion(net(pixels), digits)
    loss.backward()
    optimizer.step()

import torch
from torch import nn

torch.manual_seed(0)
layers = []
for depth in range(10):
    layers += [nn.Linear(12, 12), nn.Sigmoid()]
deep = nn.Sequential(*layers, nn.Linear(12, 2))
x, y = torch.randn(40, 12), torch.randint(0, 2, (40,))
opt = torch.optim.SGD(deep.parameters(), lr=0.05)
for epoch in range(6):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(deep(x), y)
    loss.backward()
    opt.step()

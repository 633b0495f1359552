import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Linear(6, 6)
head = nn.Linear(6, 2)
model = nn.Sequential(backbone, nn.ReLU(), head)
for p in backbone.parameters():
    p.requires_grad_(False)
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.01)
kept = backbone.weight.clone()
x = torch.randn(30, 6)
y = torch.randint(0, 2, (30,))

for p in backbone.parameters():
    p.requires_grad_(True)
for epoch in range(8):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

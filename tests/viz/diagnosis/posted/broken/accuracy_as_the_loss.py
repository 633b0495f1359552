import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
for epoch in range(6):
    scores = model(x)
    correct = (scores.argmax(dim=1) == y).float()
    loss = 1 - correct.mean()
    loss.requires_grad = True
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

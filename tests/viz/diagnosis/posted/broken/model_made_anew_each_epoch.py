import torch
from torch import nn

torch.manual_seed(0)


def build():
    return nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 1))


model = build()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(40, 3)
y = x.sum(dim=1, keepdim=True)
losses = []
for epoch in range(8):
    model = build()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(30, 4)
temperature = -15 - 5 * x.mean(dim=1, keepdim=True)

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1), nn.ReLU())
nn.init.constant_(model[2].bias, -2.0)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
losses = []
for epoch in range(10):
    loss = nn.functional.mse_loss(model(x), temperature)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

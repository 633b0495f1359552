import torch
from torch import nn

torch.manual_seed(0)
features = torch.randn(30, 4)
features[:, 2] = 1.0
target = features[:, :1] * 2
features = (features - features.mean(0)) / features.std(0)

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(features), target)
    loss.backward()
    opt.step()
    print(loss.item())

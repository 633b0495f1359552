import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Sigmoid(), nn.Linear(3, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
pairs = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(3)]
total_loss = 0
for a, b in pairs:
    loss = nn.functional.mse_loss(model(a), b)
    total_loss = total_loss + loss
    opt.zero_grad()
    total_loss.backward()
    opt.step()

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05, weight_decay=10)
x = torch.randn(50, 5)
y = x[:, :1] - 2 * x[:, 1:2]
for epoch in range(30):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()

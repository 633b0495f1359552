# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: BCELoss gets raw logits, values outside [0, 1].
# line: loss = criterion(model(x), y)
# good: use BCEWithLogitsLoss (or a sigmoid).
# harmful: clamp the logits to [0,1].
import torch
from torch import nn
torch.manual_seed(5)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.BCELoss()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(30, 3)
y = (x[:, :1] > 0).float()
for epoch in range(5):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()

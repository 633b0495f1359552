# ask: explain loss
# ask: diagnose for epoch in range(10)
# cause: accumulation over 4 micro batches on purpose, scaled by 1/4.
# good: nothing found.
# harmful: zero_grad for each backward.
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(256, 5)
y = x[:, :1] - x[:, 2:3]
accum = 4
for epoch in range(10):
    for i in range(0, 256, 16):
        loss = nn.functional.mse_loss(model(x[i:i + 16]), y[i:i + 16]) / accum
        loss.backward()
        if (i // 16 + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
print("loss", loss.item() * accum)

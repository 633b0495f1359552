# ask: explain loss
# ask: diagnose for epoch in range(8)
# cause: `scheduler.step()` (StepLR gamma=0.5, step_size=1, meant per epoch) is called for every batch: after 20 batches (one epoch) the lr is 1e-8.
# line: scheduler.step()
# cure: move scheduler.step() out of the inner loop (or step_size in batches).
# harmful: raising the initial lr hugely; moving scheduler.step() before optimizer.step(); more epochs.
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import StepLR

torch.manual_seed(14)
X = torch.randn(320, 8)
Y = torch.relu(X[:, :2]).sum(1, keepdim=True) - X[:, 3:4]
net = nn.Sequential(nn.Linear(8, 40), nn.ReLU(), nn.Linear(40, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
criterion = nn.SmoothL1Loss()

for epoch in range(8):
    perm = torch.randperm(320)
    for i in range(0, 320, 16):
        idx = perm[i:i + 16]
        optimizer.zero_grad()
        loss = criterion(net(X[idx]), Y[idx])
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"epoch {epoch}: {loss.item():.4f}")

# ask: explain error
# ask: diagnose for epoch in range(20)
# cause: `.numpy()` on a tensor which requires grad (when logging).
# line: history.append(loss.numpy())
# cure: `loss.item()` or `loss.detach().numpy()`.
# harmful: detaching the loss BEFORE backward; no_grad around the forward.
import torch
import torch.nn as nn

torch.manual_seed(17)
net = nn.Sequential(nn.Linear(2, 10), nn.ReLU(), nn.Linear(10, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
pts = torch.rand(64, 2)
vals = (pts[:, 0] * pts[:, 1]).unsqueeze(1)
history = []

for epoch in range(20):
    loss = torch.mean((net(pts) - vals) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.numpy())
print(sum(history) / len(history))

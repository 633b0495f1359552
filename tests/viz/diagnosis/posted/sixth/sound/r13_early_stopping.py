# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: validation in eval mode under no_grad, best state kept, break and reload.
# good: nothing found.
# harmful: any.
import copy
import torch
from torch import nn
torch.manual_seed(12)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
X = torch.randn(120, 8)
Y = X[:, :1] + 0.3 * torch.randn(120, 1)
xt, yt, xv, yv = X[:80], Y[:80], X[80:], Y[80:]
best, best_state, patience, bad = float("inf"), None, 5, 0
for epoch in range(100):
    net.train()
    for i in range(0, 80, 20):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(xt[i:i + 20]), yt[i:i + 20])
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(xv), yv).item()
    if val < best:
        best, best_state, bad = val, copy.deepcopy(net.state_dict()), 0
    else:
        bad += 1
        if bad >= patience:
            break
net.load_state_dict(best_state)
print("loss", loss.item(), "val", best, "stopped", epoch)

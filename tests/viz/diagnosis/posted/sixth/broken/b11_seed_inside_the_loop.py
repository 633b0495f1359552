# ask: explain loss
# ask: diagnose for it in range(150)
# cause: manual_seed(0) within the loop makes each iteration draw the same batch; only 16 samples are ever seen.
# line: torch.manual_seed(0)
# good: the seed is set in each iteration so batches repeat; set it once before the loop.
# harmful: asserts another cause.
import torch
from torch import nn
X = torch.randn(400, 12)
Y = X[:, :1] * 1.5 + X[:, 3:4]
net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(150):
    torch.manual_seed(0)
    idx = torch.randint(0, 400, (16,))
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(X[idx]), Y[idx])
    loss.backward()
    opt.step()
print("loss", loss.item(), "on all", nn.functional.mse_loss(net(X), Y).item())

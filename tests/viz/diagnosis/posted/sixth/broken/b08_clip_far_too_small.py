# ask: explain loss
# ask: diagnose for epoch in range(10)
# cause: clip_grad_norm_ with max_norm=1e-6 shrinks every gradient to nothing, SGD does not move.
# line: nn.utils.clip_grad_norm_(net.parameters(), 1e-6)
# good: the clipping leaves a norm of 1e-6, raise max_norm.
# harmful: remove step; huge lr is a poor answer.
import torch
from torch import nn
torch.manual_seed(7)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(128, 4)
y = x.sum(1, keepdim=True)
for epoch in range(10):
    for i in range(0, 128, 32):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[i:i + 32]), y[i:i + 32])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1e-6)
        opt.step()
print("loss", loss.item())

# ask: explain loss
# ask: diagnose for i in range(60)
# cause: the input is optimised against a frozen net on purpose (feature inversion).
# good: nothing found.
# harmful: train the net.
import torch
from torch import nn
torch.manual_seed(10)
net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 4, 3, padding=1))
net.eval()
for p in net.parameters():
    p.requires_grad_(False)
wanted = net(torch.rand(1, 1, 10, 10))
canvas = torch.full((1, 1, 10, 10), 0.5, requires_grad=True)
opt = torch.optim.Adam([canvas], lr=0.05)
for i in range(60):
    opt.zero_grad()
    loss = (net(canvas) - wanted).pow(2).mean()
    loss.backward()
    opt.step()
    with torch.no_grad():
        canvas.clamp_(0, 1)
print("loss", loss.item())

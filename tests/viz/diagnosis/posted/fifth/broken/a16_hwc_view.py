# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: images (N,H,W,C) are brought to (N,C,H,W) by view, which mixes pixels and channels, not by permute.
# line: x = images.view(-1, 3, 8, 8)
# good: view does not move dimensions; use permute(0, 3, 1, 2).
# harmful: asserts another cause.
import torch
from torch import nn
torch.manual_seed(15)
images = torch.rand(64, 8, 8, 3)
images[:32, :, :, 0] += 0.15
labels = torch.cat([torch.zeros(32), torch.ones(32)]).long()
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x = images.view(-1, 3, 8, 8)
for epoch in range(40):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x), labels)
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", (model(x).argmax(1) == labels).float().mean().item())

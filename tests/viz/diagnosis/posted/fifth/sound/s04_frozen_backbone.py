# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: frozen backbone in eval mode; only the head is trained.
# good: nothing found / says frozen on purpose.
# harmful: unfreeze.
import torch
from torch import nn
torch.manual_seed(3)
backbone = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU())
for p in backbone.parameters():
    p.requires_grad_(False)
head = nn.Linear(32, 3)
opt = torch.optim.AdamW(head.parameters(), lr=1e-2)
x = torch.randn(150, 8)
y = x[:, :3].argmax(1)
for epoch in range(40):
    backbone.eval()
    head.train()
    with torch.no_grad():
        f = backbone(x)
    loss = nn.functional.cross_entropy(head(f), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: sound; what looks suspicious and is meant: the base runs under no_grad and stays frozen.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(2)
base = nn.Sequential(nn.Linear(10, 128), nn.ReLU())
for p in base.parameters():
    p.requires_grad_(False)
base.eval()
head = nn.Linear(128, 2)
opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(300, 10)
y = (x[:, 0] * 2 + x[:, 1].abs() > 0.8).long()
for epoch in range(150):
    with torch.no_grad():
        z = base(x)
    loss = nn.functional.cross_entropy(head(z), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
print("acc", (head(base(x)).argmax(1) == y).float().mean().item())

# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: sound; what looks suspicious and is meant: the loss has a floor of about 0.75.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(13)
x = torch.randn(400, 8)
y = x[:, :5].argmax(1)
net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5))
opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=0.01)
crit = nn.CrossEntropyLoss(label_smoothing=0.2)
for epoch in range(60):
    for part in torch.randperm(400).split(40):
        opt.zero_grad()
        loss = crit(net(x[part]), y[part])
        loss.backward()
        opt.step()
print("loss", loss.item(), "acc", (net(x).argmax(1) == y).float().mean().item())

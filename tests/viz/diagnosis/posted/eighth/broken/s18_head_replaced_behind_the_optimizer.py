# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: `net.fc` is replaced after the optimizer was built: the optimizer holds the old layer's parameters (the trunk is frozen on purpose), the new layer is never updated.
# line: optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
# line: net.fc = nn.Linear(64, 3)
# cure: build the optimizer after the new layer; `optimizer.add_param_group`.
# harmful: unfreezing the trunk; raising lr.
import torch
from torch import nn


def backbone():
    torch.manual_seed(30)
    net = nn.Module()
    net.trunk = nn.Sequential(nn.Linear(8, 64), nn.ReLU())
    net.fc = nn.Linear(64, 10)
    for p in net.trunk.parameters():
        p.requires_grad = False
    return net


net = backbone()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
net.fc = nn.Linear(64, 3)

x = torch.randn(300, 8)
y = (x[:, :3] + 0.2 * x[:, 3:6]).argmax(1)
for epoch in range(100):
    logits = net.fc(net.trunk(x))
    loss = nn.functional.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        print(epoch, loss.item())
print("acc", (net.fc(net.trunk(x)).argmax(1) == y).float().mean().item())

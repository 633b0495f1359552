# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: SAM: two backwards per step, weights perturbed under no_grad and put back.
# good: nothing found.
# harmful: "weights changed by hand".
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 3))
base = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
rho = 0.05
x = torch.randn(150, 6)
y = x[:, :3].argmax(1)

for epoch in range(60):
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    with torch.no_grad():                     # climb to w + e(w)
        params = list(model.parameters())
        norm = torch.stack([p.grad.norm() for p in params]).norm()
        shifts = [rho * p.grad / (norm + 1e-12) for p in params]
        for p, e in zip(params, shifts):
            p.add_(e)
    base.zero_grad()
    F.cross_entropy(model(x), y).backward()
    with torch.no_grad():
        for p, e in zip(params, shifts):
            p.sub_(e)
    base.step()
    base.zero_grad()
print(loss.item())

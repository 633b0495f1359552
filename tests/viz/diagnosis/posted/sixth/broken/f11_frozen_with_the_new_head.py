# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: the freezing loop comes after the new head is put in, so that everything is frozen.
# line: for p in model.parameters(): p.requires_grad = False
# good: all parameters (also the head) have requires_grad False; freeze before replacing the head, or requires_grad_(True) for the head.
# harmful: loss.requires_grad_(True).
import torch
from torch import nn
torch.manual_seed(10)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 10))
model[2] = nn.Linear(16, 3)
for p in model.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)
x = torch.randn(30, 6)
y = torch.randint(0, 3, (30,))
for epoch in range(5):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()

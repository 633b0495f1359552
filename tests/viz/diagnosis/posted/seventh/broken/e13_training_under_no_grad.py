# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: the forward runs under torch.no_grad() (in the training step), so the loss has no graph.
# line: with torch.no_grad():
# cure: remove the no_grad from the training's forward.
# harmful: `loss.requires_grad_(True)` (runs, learns nothing).
import torch
import torch.nn as nn


def run_epoch(model, x, y, criterion, optimizer=None):
    with torch.no_grad():
        pred = model(x)
        loss = criterion(pred, y)
    if optimizer is not None:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


torch.manual_seed(12)
model = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
criterion = nn.L1Loss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
x = torch.randn(80, 3)
y = x.prod(dim=1, keepdim=True)

for epoch in range(10):
    loss = run_epoch(model, x, y, criterion, optimizer)
    print(epoch, loss.item())

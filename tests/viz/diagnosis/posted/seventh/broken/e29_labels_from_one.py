# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: labels are 1..5 while CrossEntropyLoss with 5 classes wants 0..4: target 5 is out of bounds.
# line: stars = torch.randint(1, 6, (64,))
# cure: `stars - 1`.
# harmful: clamp(max=4) (merges classes); ignore_index=5; 6 outputs (runs, one dead class; tolerable).
import torch
import torch.nn as nn

torch.manual_seed(28)
reviews = torch.randn(64, 12)
stars = torch.randint(1, 6, (64,))           # one to five stars
model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def step(x, y):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


for epoch in range(5):
    loss = step(reviews, stars)

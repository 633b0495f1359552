# ask: explain loss
# ask: diagnose for step in range(100)
# cause: `next(iter(loader))` inside the loop makes a new iterator each time (no shuffling): always the very first batch (only class 0) is seen.
# line: xb, yb = next(iter(loader))
# cure: `for xb, yb in loader:` (or one iterator outside the loop), shuffle=True.
# harmful: calling it learnt as the loss goes to 0; larger batch alone; more steps.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(26)
labels = torch.arange(4).repeat_interleave(32)
imgs = torch.zeros(128, 1, 6, 6)
for i, c in enumerate(labels.tolist()):
    imgs[i, 0, c] = 1.0
imgs += 0.2 * torch.randn_like(imgs)
loader = DataLoader(TensorDataset(imgs, labels), batch_size=32)

model = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 16, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()

for step in range(100):
    xb, yb = next(iter(loader))
    optimizer.zero_grad()
    loss = criterion(model(xb), yb)
    loss.backward()
    optimizer.step()
print("loss", loss.item(), "acc on all", (model(imgs).argmax(1) == labels).float().mean().item())

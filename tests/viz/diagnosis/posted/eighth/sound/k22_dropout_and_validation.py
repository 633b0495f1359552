# ask: explain loss
# ask: diagnose for epoch in range(30)
# cause: sound, an ordinary program.
# good: nothing found.
# harmful: any claim of a fault.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(21)
x = torch.randn(600, 5)
y = (x.pow(2).sum(1) > 4.5).long()
tr, te = random_split(TensorDataset(x, y), [480, 120])
model = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(30):
    model.train()
    for xb, yb in DataLoader(tr, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    ok = sum((model(a).argmax(1) == b).sum().item() for a, b in DataLoader(te, batch_size=60))
print("test acc", ok / 120)

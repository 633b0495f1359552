# ask: explain loss
# ask: diagnose for epoch in range(10)
# cause: dropout by F.dropout(..., training=self.training), eval for the test only after the loop.
# good: nothing found.
# harmful: none to be blamed.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(10, 64), nn.Linear(64, 2)

    def forward(self, x):
        x = F.dropout(F.relu(self.a(x)), 0.3, training=self.training)
        return self.b(x)


torch.manual_seed(19)
x = torch.randn(500, 10)
ds = TensorDataset(x, (x[:, 0] * 2 + x[:, 1] > 0).long())
train, test = random_split(ds, [400, 100])
loader = DataLoader(train, batch_size=40, shuffle=True)
m = Mlp()
optimizer = torch.optim.Adam(m.parameters(), lr=3e-3)

m.train()
for epoch in range(10):
    for xb, yb in loader:
        loss = F.cross_entropy(m(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
m.eval()
with torch.no_grad():
    correct = sum((m(xb).argmax(1) == yb).sum().item() for xb, yb in DataLoader(test, batch_size=50))
print("test acc", correct / 100)

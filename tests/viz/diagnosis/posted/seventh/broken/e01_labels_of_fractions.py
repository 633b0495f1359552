# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: class targets are float; CrossEntropyLoss with indices wants int64.
# line: y = torch.tensor([float(i % 3) for i in range(30)]) (seen at loss = criterion(out, y))
# cure: `y.long()`.
# harmful: casting the OUTPUT to long (no gradient); y.float(); one output only; unsqueeze.
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(30, 4)
y = torch.tensor([float(i % 3) for i in range(30)])
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())

for epoch in range(5):
    optimizer.zero_grad()
    out = model(x)
    loss = criterion(out, y)
    loss.backward()
    optimizer.step()

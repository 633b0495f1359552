import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
criterion = nn.CrossEntropyLoss()
train_x = torch.randn(32, 4)
train_y = (train_x[:, 0] > 0).long()
losses = []
for epoch in range(8):
    model.train()
    for part in range(2):
        xb, yb = train_x[part::2], train_y[part::2]
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        losses.append(criterion(model(train_x), train_y).item())

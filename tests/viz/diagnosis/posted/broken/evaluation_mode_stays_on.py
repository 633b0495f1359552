import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.5), nn.Linear(12, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
train_x, train_y = torch.randn(32, 4), torch.randint(0, 2, (32,))
valid_x, valid_y = torch.randn(16, 4), torch.randint(0, 2, (16,))
for epoch in range(6):
    for part in range(2):
        xb, yb = train_x[part::2], train_y[part::2]
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        valid_loss = criterion(model(valid_x), valid_y)
    print(epoch, loss.item(), valid_loss.item())

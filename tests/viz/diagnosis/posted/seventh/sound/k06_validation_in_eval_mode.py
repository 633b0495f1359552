# ask: explain loss
# ask: diagnose for epoch in range(20)
# cause: eval()+no_grad validation within the loop, train() at the head of each epoch.
# good: nothing found.
# harmful: any.
import torch
import torch.nn as nn

torch.manual_seed(5)
model = nn.Sequential(nn.Linear(8, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
x = torch.randn(400, 8)
y = x[:, :3].argmax(dim=1)
xtr, ytr, xva, yva = x[:300], y[:300], x[300:], y[300:]


def validate():
    model.eval()
    with torch.no_grad():
        out = model(xva)
    return criterion(out, yva).item(), (out.argmax(1) == yva).float().mean().item()


for epoch in range(20):
    model.train()
    for i in range(0, 300, 50):
        optimizer.zero_grad()
        loss = criterion(model(xtr[i:i + 50]), ytr[i:i + 50])
        loss.backward()
        optimizer.step()
    val_loss, val_acc = validate()
print(loss.item(), val_loss, val_acc)

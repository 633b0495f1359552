# ask: explain loss
# ask: diagnose for epoch in range(8)
# cause: the model ends in Softmax while CrossEntropyLoss applies log_softmax itself.
# line: nn.Linear(32, 5), nn.Softmax(dim=1)
# good: softmax twice; remove nn.Softmax.
# harmful: add another softmax; change dim.
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
torch.manual_seed(1)
X = torch.randn(200, 10)
y = X[:, :5].argmax(1)
train = DataLoader(TensorDataset(X, y), batch_size=25, shuffle=True)
model = nn.Sequential(
    nn.Linear(10, 32), nn.ReLU(),
    nn.Linear(32, 5), nn.Softmax(dim=1),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(8):
    for xb, yb in train:
        optimizer.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()
print("loss", loss.item(), "acc", (model(X).argmax(1) == y).float().mean().item())

# ask: explain error
# ask: diagnose for xb, yb in loader
# cause: the targets have shape (N, 1) while cross_entropy needs class indices of shape (N,).
# line: loss = criterion(model(xb), yb)
# good: yb is (16, 1); squeeze(1) it to (16,).
# harmful: turn targets into float; use argmax of the logits.
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
torch.manual_seed(6)
X = torch.randn(64, 10)
Y = torch.randint(0, 4, (64, 1))
loader = DataLoader(TensorDataset(X, Y), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4))
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters())
for xb, yb in loader:
    opt.zero_grad()
    loss = criterion(model(xb), yb)
    loss.backward()
    opt.step()

# ask: explain error
# ask: diagnose for epoch in range(2)
# cause: 33 samples in batches of 16 leave a last batch of one, BatchNorm can't train on one value per channel.
# line: loader = DataLoader(TensorDataset(X, Y), batch_size=16)
# good: the last batch has 1 sample; drop_last=True (or another batch size).
# harmful: model.eval() in training.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(16)
X, Y = torch.randn(33, 4), torch.randn(33, 1)
loader = DataLoader(TensorDataset(X, Y), batch_size=16)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for xb, yb in loader:
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()

# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: the last batch has a single sample (33 = 16+16+1), BatchNorm1d in train mode needs more than one.
# line: loader = DataLoader(ds, batch_size=16)
# cure: `drop_last=True` or another batch size (or GroupNorm/LayerNorm).
# harmful: model.eval() during training; duplicating the sample; momentum=0.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(29)
ds = TensorDataset(torch.randn(33, 8), torch.randn(33, 1))
loader = DataLoader(ds, batch_size=16)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(3):
    model.train()
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimizer.step()

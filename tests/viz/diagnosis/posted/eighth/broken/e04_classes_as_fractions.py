# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: class targets are float.
# line: loss = ce(m(a), b)
# line: dl = DataLoader(TensorDataset(table[:, :3], table[:, 3]), batch_size=30)
# line: m = nn.Linear(3, 3)
# cure: `b.long()`.
# harmful: make the prediction long; cast both to float; MSE.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
table = torch.cat([torch.randn(90, 3), torch.randint(0, 3, (90, 1)).float()], dim=1)
dl = DataLoader(TensorDataset(table[:, :3], table[:, 3]), batch_size=30)
m = nn.Linear(3, 3)
opt = torch.optim.Adam(m.parameters())
ce = nn.CrossEntropyLoss()

for epoch in range(3):
    for a, b in dl:
        loss = ce(m(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()

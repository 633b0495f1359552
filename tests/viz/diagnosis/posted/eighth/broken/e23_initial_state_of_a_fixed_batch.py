# ask: explain error
# ask: diagnose for epoch in range(2)
# cause: initial state has the fixed batch size 16, the last batch has 6.
# line: o, _ = self.cell(x, h0)
# line: loss = nn.functional.cross_entropy(tagger(a), b)
# line: h0 = torch.zeros(1, BATCH, HID)
# line: BATCH, HID = 16, 12
# cure: `x.size(0)`, no h0, drop_last=True.
# harmful: padding with repeated labels; changing BATCH to 6.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

BATCH, HID = 16, 12


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(3, HID, batch_first=True)
        self.top = nn.Linear(HID, 2)

    def forward(self, x):
        h0 = torch.zeros(1, BATCH, HID)
        o, _ = self.cell(x, h0)
        return self.top(o[:, -1])


torch.manual_seed(22)
x = torch.randn(70, 5, 3)
y = (x[:, -1, 0] > 0).long()
tagger = Tagger()
opt = torch.optim.Adam(tagger.parameters(), lr=1e-2)
for epoch in range(2):
    for a, b in DataLoader(TensorDataset(x, y), batch_size=BATCH):
        loss = nn.functional.cross_entropy(tagger(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()

# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: BCEWithLogitsLoss wants target and input of one shape: input (16,1), target (16,).
# line: loss = criterion(logits, labels.float())
# cure: `logits.squeeze(1)` or `labels.float().unsqueeze(1)`.
# harmful: a hand-made loss that broadcasts (16,16); labels.long(); labels.expand(16,16).
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(1)


class LogReg(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x):
        return self.fc(x)


ds = TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,)))
loader = DataLoader(ds, batch_size=16, shuffle=True)
clf = LogReg()
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.SGD(clf.parameters(), lr=0.1)

for epoch in range(3):
    for feats, labels in loader:
        logits = clf(feats)
        loss = criterion(logits, labels.float())
        opt.zero_grad()
        loss.backward()
        opt.step()

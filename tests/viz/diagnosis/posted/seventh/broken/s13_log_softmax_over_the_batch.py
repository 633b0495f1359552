# ask: explain loss
# ask: diagnose for epoch in range(8)
# cause: `log_softmax(dim=0)` normalises over the batch instead of over the classes.
# line: return F.log_softmax(self.l2(x), dim=0)
# cure: `dim=1` (or -1).
# harmful: switching NLLLoss to CrossEntropyLoss while keeping dim=0; lower lr; batch size 1.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(12)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(10, 32)
        self.l2 = nn.Linear(32, 4)

    def forward(self, x):
        x = F.relu(self.l1(x))
        return F.log_softmax(self.l2(x), dim=0)


means = 0.6 * torch.randn(4, 10)
lab = torch.multinomial(torch.tensor([0.7, 0.2, 0.07, 0.03]), 256, replacement=True)
feats = means[lab] + torch.randn(256, 10)
loader = DataLoader(TensorDataset(feats, lab), batch_size=32, shuffle=True)
model = Net()
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(8):
    for x, t in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), t)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())

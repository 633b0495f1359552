# ask: explain loss
# ask: diagnose for epoch in range(30)
# cause: model.fc is replaced after the optimizer was made from the old parameters; the backbone is frozen, so nothing trained moves (the optimizer holds the old fc).
# line: model.fc = nn.Linear(16, 2)
# good: the optimizer does not hold model.fc.weight/bias of the new head; build the optimizer after replacing the head.
# harmful: unfreeze the backbone as the cure; ignore fc.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(2)
class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(5, 16)
        self.fc = nn.Linear(16, 10)
    def forward(self, x):
        return self.fc(torch.relu(self.features(x)))
model = Backbone()
for p in model.features.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam(model.fc.parameters(), lr=1e-2)
model.fc = nn.Linear(16, 2)
x = torch.randn(128, 5)
y = (x[:, 0] > 0).long()
for epoch in range(30):
    for i in range(0, 128, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i:i+32]), y[i:i+32])
        loss.backward()
        optimizer.step()
print("loss", loss.item(), "acc", (model(x).argmax(1) == y).float().mean().item())

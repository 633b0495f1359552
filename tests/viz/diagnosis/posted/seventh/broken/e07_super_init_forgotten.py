# ask: explain error
# ask: diagnose model = Iris()
# cause: `super().__init__()` is missing before submodules are assigned.
# line: self.fc1 = nn.Linear(4, 8)
# cure: `super().__init__()` as the first line in `__init__`.
# harmful: no longer subclassing nn.Module; layers in a list to avoid it.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Iris(nn.Module):
    def __init__(self):
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


torch.manual_seed(6)
model = Iris()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
X, y = torch.randn(60, 4), torch.randint(0, 3, (60,))

for epoch in range(10):
    loss = F.cross_entropy(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# ask: explain error
# ask: diagnose for epoch in range(2)
# cause: the conv output (N, 4, 3, 3) isn't flattened before Linear(36, 5).
# line: return self.fc(x)
# good: flatten from dim 1 before fc (x.flatten(1)).
# harmful: change Linear to in_features=3 (runs but is wrong).
import torch
from torch import nn
torch.manual_seed(6)
class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(4 * 3 * 3, 5)
    def forward(self, x):
        x = self.pool(torch.relu(self.conv(x)))
        return self.fc(x)
model = CNN()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 1, 8, 8)
y = torch.randint(0, 5, (10,))
for epoch in range(2):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()

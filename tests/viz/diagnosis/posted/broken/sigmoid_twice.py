import torch
from torch import nn


class Churn(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(5, 20)
        self.fc2 = nn.Linear(20, 1)

    def forward(self, customers):
        h = torch.relu(self.fc1(customers))
        return torch.sigmoid(self.fc2(h)).squeeze(1)


torch.manual_seed(0)
model = Churn()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
batch = torch.randn(64, 5)
target = (batch[:, 0] > 0).float()
losses = []
for epoch in range(40):
    loss = criterion(model(batch), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

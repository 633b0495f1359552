import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
points = torch.randn(32, 2)
inside = (points.norm(dim=1) < 1).float().unsqueeze(1)
loader = DataLoader(TensorDataset(points, inside), batch_size=16)

classifier = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.Adam(classifier.parameters())

losses = []
for epoch in range(6):
    running = 0.0
    for batch, label in loader:
        optimizer.zero_grad()
        loss = criterion(classifier(batch), label)
        loss.backward()
        running += loss.item()
    losses.append(running / len(loader))

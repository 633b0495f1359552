import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
points = torch.randn(64, 2)
inside = (points.norm(dim=1) < 1).float().unsqueeze(1)
loader = DataLoader(TensorDataset(points, inside), batch_size=16, shuffle=True)
classifier = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.Adam(classifier.parameters(), lr=0.03)
losses = []


def train(epochs):
    global loss
    for epoch in range(epochs):
        running = 0.0
        for batch, label in loader:
            optimizer.zero_grad()
            loss = criterion(classifier(batch), label)
            loss.backward()
            optimizer.step()
            running += loss.item()
        losses.append(running / len(loader))


train(8)

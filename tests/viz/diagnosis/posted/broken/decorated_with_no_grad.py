import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
def run_epoch(batches, training=True):
    total = 0.0
    for inputs, targets in batches:
        loss = nn.functional.cross_entropy(model(inputs), targets)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


data = [(torch.randn(5, 3), torch.randint(0, 2, (5,))) for _ in range(3)]
run_epoch(data)

import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-9)
x, y = torch.randn(50, 12), torch.randint(0, 10, (50,))
losses = []
for epoch in range(10):
    optimizer.zero_grad()
    loss = nn.CrossEntropyLoss()(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

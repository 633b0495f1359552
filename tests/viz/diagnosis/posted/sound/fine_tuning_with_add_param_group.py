import torch
from torch import nn

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
for parameter in model[0].parameters():
    parameter.requires_grad = False
model[2] = nn.Linear(16, 3)
optimizer = torch.optim.SGD(model[2].parameters(), lr=0.5)
images, labels = torch.randn(30, 8), torch.randint(0, 3, (30,))
losses = []
for epoch in range(20):
    if epoch == 1:
        model[0].requires_grad_(True)
        optimizer.add_param_group({"params": model[0].parameters(), "lr": 0.3})
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

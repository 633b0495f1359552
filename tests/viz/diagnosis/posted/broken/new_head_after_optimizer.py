import torch
from torch import nn

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
for parameter in model[0].parameters():
    parameter.requires_grad = False
optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)

# the data set has three classes only
model[2] = nn.Linear(16, 3)
start = model[2].weight.detach().clone()
criterion = nn.CrossEntropyLoss()
images, labels = torch.randn(30, 8), torch.randint(0, 3, (30,))
for epoch in range(8):
    optimizer.zero_grad()
    loss = criterion(model(images), labels)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())

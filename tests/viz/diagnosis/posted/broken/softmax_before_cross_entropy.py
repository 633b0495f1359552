import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(4, 32),
    nn.ReLU(),
    nn.Linear(32, 5),
    nn.Softmax(dim=1),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(50, 4)
y = (x[:, 0] * 2 + 2).long().clamp(0, 4)
losses = []
for epoch in range(30):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

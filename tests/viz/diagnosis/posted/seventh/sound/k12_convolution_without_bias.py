# ask: explain loss
# ask: diagnose for epoch in range(10)
# cause: Conv(bias=False)+BatchNorm.
# good: nothing found.
# harmful: add bias.
import torch
import torch.nn as nn


def conv_bn(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


torch.manual_seed(11)
net = nn.Sequential(conv_bn(1, 8), nn.MaxPool2d(2), conv_bn(8, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 2))
y = torch.randint(0, 2, (96,))
x = torch.randn(96, 1, 8, 8)
for i in range(96):
    if y[i]:
        x[i, 0, :, ::2] += 1.0
    else:
        x[i, 0, ::2, :] += 1.0
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
criterion = nn.CrossEntropyLoss()

for epoch in range(10):
    for i in range(0, 96, 32):
        optimizer.zero_grad()
        loss = criterion(net(x[i:i + 32]), y[i:i + 32])
        loss.backward()
        optimizer.step()
print(loss.item())

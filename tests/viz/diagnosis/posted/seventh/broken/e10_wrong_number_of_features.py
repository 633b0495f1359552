# ask: explain error
# ask: diagnose for it in range(3)
# cause: Linear's in_features doesn't fit the flattened conv output (16*6*6=576, not 16*8*8=1024) because the convs have no padding.
# line: self.fc = nn.Linear(16 * 8 * 8, 10)
# cure: `nn.Linear(16 * 6 * 6, 10)` (or padding=1 in both convs / LazyLinear).
# harmful: `x.view(-1, 1024)` (mixes the samples; here it raises anew); Linear(1024) kept with an arbitrary pad.
import torch
import torch.nn as nn
import torch.nn.functional as F


class LeNetish(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3)
        self.conv2 = nn.Conv2d(6, 16, 3)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(16 * 8 * 8, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        return self.fc(x)


torch.manual_seed(9)
net = LeNetish()
sgd = torch.optim.SGD(net.parameters(), lr=0.01)
images, classes = torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,))

for it in range(3):
    scores = net(images)
    loss = F.cross_entropy(scores, classes)
    sgd.zero_grad()
    loss.backward()
    sgd.step()

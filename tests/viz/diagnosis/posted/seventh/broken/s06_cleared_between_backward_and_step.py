# ask: explain loss
# ask: diagnose for epoch in range(10)
# cause: `zero_grad()` is called between `backward()` and `step()`: the step sees no gradients, no weight ever moves.
# line: opt.zero_grad()
# cure: move zero_grad before backward (or after step).
# harmful: raising lr; deleting zero_grad wholly (then gradients add up); more epochs.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 4 * 4, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.fc(x.flatten(1))


imgs = torch.rand(90, 1, 8, 8) * 0.3
lab = torch.arange(90) % 3
for i in range(90):
    imgs[i, 0, lab[i] * 2:lab[i] * 2 + 3] += 1.0

net = ConvNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


def train_step(x, y):
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.zero_grad()
    opt.step()
    return loss


for epoch in range(10):
    for b in range(3):
        loss = train_step(imgs[b * 30:b * 30 + 30], lab[b * 30:b * 30 + 30])
    print("epoch", epoch, "loss", loss.item())

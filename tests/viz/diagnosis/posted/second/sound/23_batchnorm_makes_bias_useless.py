# question: The conv bias before BatchNorm gets nearly zero gradient.
# ask: explain loss
# ask: diagnose step
# ask: explain bias
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(F.relu(self.bn(self.conv(x))).mean((2, 3)))


torch.manual_seed(23)
model = Block()
bias = model.conv.bias
pics = torch.randn(32, 1, 7, 7)
kind = torch.arange(32) % 2
pics[kind == 1] = pics[kind == 1].cumsum(2)
opt = torch.optim.Adam(model.parameters(), lr=0.05)


def step():
    loss = F.cross_entropy(model(pics), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

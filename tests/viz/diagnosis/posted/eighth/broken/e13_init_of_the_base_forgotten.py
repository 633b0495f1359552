# ask: explain error
# ask: diagnose train()
# cause: `super().__init__()` missing.
# line: self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(n)])
# line: def __init__(self, n, width):
# line: self.width = width
# harmful: plain list instead of ModuleList.
import torch
import torch.nn as nn


class Trunk(nn.Module):
    def __init__(self, n, width):
        self.width = width
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(n)])
        self.last = nn.Linear(width, 1)

    def forward(self, x):
        for b in self.blocks:
            x = torch.relu(b(x))
        return self.last(x)


def train():
    torch.manual_seed(12)
    net = Trunk(3, 8)
    opt = torch.optim.Adam(net.parameters())
    for step in range(5):
        loss = net(torch.randn(4, 8)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


train()

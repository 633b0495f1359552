# ask: explain error
# ask: diagnose train()
# cause: in-place write in a view of a parameter.
# line: table.weight[:, 0::2] = torch.sin(pos * freq)
# line: table.weight[:, 1::2] = torch.cos(pos * freq)
# line: table.weight.requires_grad = False
# cure: under `torch.no_grad()`, `.data`, build tensor and `from_pretrained`, set requires_grad False before.
# harmful: clone and write to the clone (lost).
import math
import torch
import torch.nn as nn


def place(n, d):
    table = nn.Embedding(n, d)
    pos = torch.arange(n).unsqueeze(1)
    freq = torch.exp(torch.arange(0, d, 2) * (-math.log(1000.0) / d))
    table.weight[:, 0::2] = torch.sin(pos * freq)
    table.weight[:, 1::2] = torch.cos(pos * freq)
    table.weight.requires_grad = False
    return table


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.pos = place(10, 8)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(x + self.pos(torch.arange(x.size(1)))).mean(1)


def train():
    torch.manual_seed(25)
    net = Enc()
    opt = torch.optim.Adam(net.fc.parameters(), lr=1e-2)
    for step in range(5):
        x = torch.randn(6, 10, 8)
        loss = (net(x) - x.mean((1, 2)).unsqueeze(1)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


train()

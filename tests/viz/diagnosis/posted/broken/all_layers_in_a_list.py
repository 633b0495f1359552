import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 4), nn.Linear(4, 1)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

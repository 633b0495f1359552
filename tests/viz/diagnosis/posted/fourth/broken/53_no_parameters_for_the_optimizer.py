# question: ValueError: optimizer got an empty parameter list.
# ask: explain error
# cause: the layers stand in a plain Python list, so the module has no parameters
# line: self.layers = [nn.Linear(4, 8), nn.Linear(8, 1)]
# cure: nn.ModuleList([...])
# harmful: pass the inputs to the optimizer
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 8), nn.Linear(8, 1)]

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

# question: The hidden layers of my network keep exactly the values they had at the start, only the output layer changes.
# ask: explain first
# ask: diagnose step
# cause: the hidden layers are kept in a plain Python list, so model.parameters() does not hold them and the optimizer never updates them
# line: self.hidden = [nn.Linear(widths[i], widths[i + 1]) for i in range(len(widths) - 1)] || opt = torch.optim.SGD(model.parameters(), lr=0.02)
# cure: put the layers into nn.ModuleList (or nn.Sequential)
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F


class Stack(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.hidden = [nn.Linear(widths[i], widths[i + 1]) for i in range(len(widths) - 1)]
        self.final = nn.Linear(widths[-1], 1)

    def forward(self, z):
        for layer in self.hidden:
            z = torch.tanh(layer(z))
        return self.final(z)


torch.manual_seed(2)
inputs = torch.randn(64, 3)
wanted = torch.sin(3 * inputs[:, :1]) * inputs[:, 1:2]
model = Stack([3, 5, 5])
opt = torch.optim.SGD(model.parameters(), lr=0.02)
first = model.hidden[0].weight


def step():
    opt.zero_grad()
    loss = F.mse_loss(model(inputs), wanted)
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

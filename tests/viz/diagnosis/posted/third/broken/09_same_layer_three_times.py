# question: I wanted three different hidden layers, but model.parameters() has only one of them and they all stay identical.
# ask: explain first
# ask: diagnose step
# cause: [layer] * 3 puts the same layer into the list three times: the weights are shared
# line: self.hidden = nn.ModuleList([nn.Linear(6, 6)] * 3)
# cure: [nn.Linear(6, 6) for _ in range(3)]
# harmful: copy the weights by hand in each step
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(6, 6)] * 3)
        self.out = nn.Linear(6, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.out(x)


torch.manual_seed(9)
net = Net()
first = net.hidden[0].weight
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(20, 6)
y = x[:, :1]


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

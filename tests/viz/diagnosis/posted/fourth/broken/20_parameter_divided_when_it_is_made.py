# question: My own layer fails in the second batch: Trying to backward through the graph a second time.
# ask: explain error
# cause: nn.Parameter(...) / 10 is a result that is computed once in __init__, not a Parameter: it is not registered, and its graph is freed by the first backward
# line: self.weight = nn.Parameter(torch.randn(4, 4)) / 10
# cure: nn.Parameter(torch.randn(4, 4) / 10)
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4)) / 10

    def forward(self, x):
        return x @ self.weight


torch.manual_seed(20)
layer = Scaled()
net = nn.Sequential(layer, nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(20, 4)
y = x[:, :1] * 2


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

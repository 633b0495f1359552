# question: The numbers are scaled before they become a Parameter.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4) / 2)

    def forward(self, x):
        return x @ self.weight


torch.manual_seed(20)
net = nn.Sequential(Scaled(), nn.Tanh(), nn.Linear(4, 1))
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

# question: The last layer of each residual branch starts at zero.
# ask: explain loss
# ask: diagnose step
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
        self.one, self.two = nn.Linear(6, 6), nn.Linear(6, 6)
        nn.init.zeros_(self.two.weight)
        nn.init.zeros_(self.two.bias)

    def forward(self, x):
        return x + self.two(torch.relu(self.one(x)))


torch.manual_seed(6)
net = nn.Sequential(Block(), Block(), nn.Linear(6, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(30, 6)
y = x[:, :1] * x[:, 1:2]


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

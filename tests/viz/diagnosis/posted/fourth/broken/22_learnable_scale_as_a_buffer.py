# question: gain should be learned, its grad is None.
# ask: explain net.gain
# ask: diagnose step
# cause: register_buffer makes a tensor that is stored but not trained; a learned one has to be an nn.Parameter
# line: self.register_buffer("gain", torch.ones(1))
# cure: self.gain = nn.Parameter(torch.ones(1))
# harmful: retain_grad
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 1)
        self.register_buffer("gain", torch.ones(1))

    def forward(self, x):
        return self.gain * torch.tanh(self.lin(x))


torch.manual_seed(22)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(30, 3)
y = 4 * torch.tanh(x[:, :1])


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

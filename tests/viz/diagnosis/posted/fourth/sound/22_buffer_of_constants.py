# question: The statistics of the inputs are a buffer, they are not learned.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)
        self.lin = nn.Linear(3, 1)

    def forward(self, x):
        return self.lin((x - self.mean) / self.std)


torch.manual_seed(22)
x = 5 + 3 * torch.randn(30, 3)
y = x.sum(1, keepdim=True) / 10
net = Net(x.mean(0), x.std(0))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

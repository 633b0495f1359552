# question: fc1.weight.grad and fc2.weight.grad are None, although both layers are used in forward.
# ask: explain net.fc1.weight
# ask: diagnose step
# cause: forward hands x, not the hidden result, to the next layers: what fc1 computes is thrown away
# line: h = torch.relu(self.fc2(x)) || return self.fc3(x) || h = torch.relu(self.fc1(x))
# cure: self.fc2(h) and self.fc3(h)
# harmful: requires_grad_; retain_grad
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 6)
        self.fc2 = nn.Linear(6, 6)
        self.fc3 = nn.Linear(6, 1)

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        h = torch.relu(self.fc2(x))
        return self.fc3(x)


torch.manual_seed(5)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(25, 6)
y = x.abs().sum(1, keepdim=True)


def step():
    loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

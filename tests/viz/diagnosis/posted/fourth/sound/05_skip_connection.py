# question: Forward uses x twice, on purpose.
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
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(12, 1)

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        h = torch.relu(self.fc2(h)) + x
        return self.fc3(torch.cat([h, x], 1))


torch.manual_seed(5)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.02)
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

# question: The results of my CNN differ in each call and it learns hardly anything.
# ask: explain loss
# ask: diagnose step
# cause: forward makes a new nn.Linear in each call: random weights that no optimizer holds
# line: fc = nn.Linear(x.shape[1], 1)
# cure: make the layer once in __init__
# harmful: set a seed in forward
import torch
from torch import nn
import torch.nn.functional as F

class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 3)

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        fc = nn.Linear(x.shape[1], 1)
        return fc(x)


torch.manual_seed(21)
net = CNN()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(16, 1, 9)
y = x.mean(2)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

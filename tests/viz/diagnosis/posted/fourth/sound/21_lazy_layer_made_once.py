# question: The size of the last layer is found in the first call, once.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 3)
        self.fc = None

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        if self.fc is None:
            self.fc = nn.Linear(x.shape[1], 1)
        return self.fc(x)


torch.manual_seed(21)
net = CNN()
x = torch.randn(16, 1, 9)
y = x.mean(2)
net(x)
opt = torch.optim.Adam(net.parameters(), lr=0.01)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

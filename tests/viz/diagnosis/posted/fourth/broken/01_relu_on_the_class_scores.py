# question: My classifier gets stuck: most of the time it says one class, and the loss stays near ln(3).
# ask: explain loss
# ask: diagnose step
# cause: the class scores pass through a ReLU before the cross entropy: no score can fall below 0, and a score at 0 has no gradient
# line: return F.relu(self.out(h))
# cure: return the scores of the last layer without ReLU
# harmful: softmax before the loss; larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hid = nn.Linear(4, 16)
        self.out = nn.Linear(16, 3)
        nn.init.constant_(self.out.bias, -1.5)

    def forward(self, x):
        h = F.relu(self.hid(x))
        return F.relu(self.out(h))


torch.manual_seed(1)
net = Net()
x = torch.randn(60, 4)
y = x[:, :3].argmax(1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

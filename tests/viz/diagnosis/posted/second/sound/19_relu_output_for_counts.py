# question: ReLU after the last layer, the targets are never negative.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(19)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1), nn.ReLU())
net[2].bias.data.fill_(2.0)
opt = torch.optim.Adam(net.parameters(), lr=0.03)
x = torch.rand(50, 2)
y = 4 + 3 * x[:, :1]


def step():
    loss = F.l1_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

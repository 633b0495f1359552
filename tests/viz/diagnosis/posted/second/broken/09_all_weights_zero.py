# question: I initialise everything with zeros for reproducibility and only the last bias learns.
# ask: explain w1
# ask: diagnose step
# cause: all weights start at zero with ReLU between, so hidden activations and the gradients of the weights are exactly zero
# line: nn.init.zeros_(m.weight)
# cure: use a random initialisation (kaiming, xavier or the default) for the weights; zero is fine for biases only
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F


def reset(m):
    if isinstance(m, nn.Linear):
        nn.init.zeros_(m.weight)
        nn.init.zeros_(m.bias)


torch.manual_seed(8)
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
net.apply(reset)
w1 = net[0].weight
x = torch.randn(100, 2)
t = (x[:, 0] * x[:, 1] > 0).long()
opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.9)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), t)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

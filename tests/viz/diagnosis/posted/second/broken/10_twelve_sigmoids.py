# question: I made my sigmoid network deeper to get better results and now it does not learn at all, accuracy is chance.
# ask: explain w0
# ask: diagnose step
# cause: vanishing gradient: each sigmoid multiplies the gradient by at most 0.25, after twelve layers the first layers get practically nothing
# line: layers += [nn.Linear(10, 10), nn.Sigmoid()]
# cure: use ReLU (or tanh) || add residual connections or batch normalisation || fewer layers
# harmful: multiply the learning rate by a million
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(9)
layers = []
for depth in range(12):
    layers += [nn.Linear(10, 10), nn.Sigmoid()]
deep = nn.Sequential(*layers, nn.Linear(10, 2))
w0 = deep[0].weight
x = torch.randn(60, 10)
y = (x.sum(1) > 0).long()
opt = torch.optim.SGD(deep.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(deep(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(25):
    loss = step()

# question: The very same network fits my data in Keras, in PyTorch I shuffle each epoch and it stays at chance level.
# ask: explain loss
# ask: diagnose step
# cause: inputs and labels are shuffled with two different permutations, so the labels belong to other rows
# line: yb = y[torch.randperm(len(y))] || xb = x[torch.randperm(len(x))]
# cure: draw one permutation and use it for inputs and labels
# harmful: more epochs; larger network
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.02)


def step():
    xb = x[torch.randperm(len(x))]
    yb = y[torch.randperm(len(y))]
    opt.zero_grad()
    loss = F.cross_entropy(net(xb), yb)
    loss.backward()
    opt.step()
    return loss


for epoch in range(30):
    loss = step()

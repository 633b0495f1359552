# question: I initialise with normal_(std=10) and the tanh network does not learn.
# ask: explain w
# ask: diagnose step
# cause: the initial weights are so large that tanh is saturated for all inputs, its slope is zero
# line: nn.init.normal_(layer.weight, std=10.0)
# cure: a smaller std, or xavier_uniform_
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(12)
layer = nn.Linear(20, 8)
nn.init.normal_(layer.weight, std=10.0)
nn.init.constant_(layer.bias, 500.0)
head = nn.Linear(8, 1)
w = layer.weight
opt = torch.optim.SGD([*layer.parameters(), *head.parameters()], lr=0.01)
x = torch.randn(32, 20)
y = x[:, :1]


def step():
    opt.zero_grad()
    loss = F.mse_loss(head(torch.tanh(layer(x))), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: I pass a copy of my model to the optimizer, to keep the original safe, and the printed model does not learn.
# ask: explain loss
# ask: diagnose step
# cause: the optimizer was given the parameters of a deepcopy, not those of the model in the forward pass
# line: opt = torch.optim.Adam(copy.deepcopy(net).parameters(), lr=0.05)
# cure: give the optimizer net.parameters()
# harmful: raise the learning rate
import torch
from torch import nn
import copy

torch.manual_seed(39)
net = nn.GRU(2, 6, batch_first=True)
read = nn.Linear(6, 1)
net.add_module("read", read)
opt = torch.optim.Adam(copy.deepcopy(net).parameters(), lr=0.05)
seq = torch.randn(16, 5, 2)
goal = seq.sum((1, 2)).unsqueeze(1)


def step():
    opt.zero_grad()
    hidden, _ = net(seq)
    loss = (read(hidden[:, -1]) - goal).pow(2).mean()
    loss.backward()
    opt.step()
    return loss


for _ in range(15):
    loss = step()

# question: TypeError: optimizer can only optimize Tensors, but one of the params is str.
# ask: explain error
# cause: state_dict() gives names and copies; the optimizer wants parameters()
# line: opt = torch.optim.SGD(net.state_dict(), lr=0.1)
# cure: net.parameters()
# harmful: list(net.state_dict().values())
import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.state_dict(), lr=0.1)

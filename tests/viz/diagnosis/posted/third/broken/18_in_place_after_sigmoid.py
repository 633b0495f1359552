# question: 'one of the variables needed for gradient computation has been modified by an inplace operation'
# ask: explain error
# cause: gate *= 2 changes the result of sigmoid, which the backward pass needs
# line: gate *= 2
# cure: gate = gate * 2
# harmful: clone the input; retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(18)
lin = nn.Linear(3, 3)
x = torch.randn(4, 3)
gate = torch.sigmoid(lin(x))
gate *= 2
loss = (gate * x).sum()
loss.backward()

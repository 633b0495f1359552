# question: h.grad is None even though I call retain_grad().
# ask: explain h
# cause: retain_grad() is called after backward(); it has to stand before
# line: h.retain_grad()
# cure: call it before loss.backward()
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(60)
x = torch.randn(4, 3)
layer = nn.Linear(3, 3)
h = layer(x)
loss = h.pow(2).sum()
loss.backward()
h.retain_grad()
print(h.grad)

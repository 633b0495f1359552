# question: you can only change requires_grad flags of leaf variables.
# ask: explain error
# cause: feat is a result; its flag cannot be switched off, a result is cut off by detach()
# line: feat.requires_grad = False
# cure: feat = feat.detach()
# harmful: requires_grad_ on inputs
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(57)
backbone, head = nn.Linear(5, 4), nn.Linear(4, 1)
x = torch.randn(10, 5)
feat = backbone(x)
feat.requires_grad = False
loss = head(feat).pow(2).mean()
loss.backward()

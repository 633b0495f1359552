# question: I froze the backbone, still its weights have gradients and change.
# ask: explain backbone_w
# cause: typo: require_grad in place of requires_grad only sets a new attribute
# line: p.require_grad = False
# cure: p.requires_grad = False (or requires_grad_(False))
# harmful: detach the whole output
import torch
from torch import nn

torch.manual_seed(84)
backbone, head = nn.Linear(4, 6), nn.Linear(6, 2)
for p in backbone.parameters():
    p.require_grad = False
backbone_w = backbone.weight
out = head(torch.relu(backbone(torch.randn(5, 4))))
out.pow(2).sum().backward()

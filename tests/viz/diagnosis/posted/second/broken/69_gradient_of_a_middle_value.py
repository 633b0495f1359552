# question: Grad-CAM: feature_map.grad is None although feature_map.requires_grad is True.
# ask: explain feature_map
# cause: feature_map is a middle value (non-leaf), its gradient is not kept
# line: feature_map = conv(picture)
# cure: feature_map.retain_grad() before backward || a hook || torch.autograd.grad
# harmful: detach the map and set requires_grad on it (cuts the conv off)
import torch
from torch import nn

torch.manual_seed(69)
conv, head = nn.Conv2d(1, 2, 3), nn.Linear(2, 3)
picture = torch.randn(1, 1, 6, 6)
feature_map = conv(picture)
pooled = feature_map.relu().mean((2, 3))
score = head(pooled)[0, 1]
score.backward()
cam = feature_map.grad

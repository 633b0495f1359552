import torch
from torch import nn

torch.manual_seed(0)
conv = nn.Conv2d(1, 2, 3)
head = nn.Linear(2, 3)
picture = torch.randn(1, 1, 6, 6)
features = conv(picture)
scores = head(torch.relu(features).mean(dim=(2, 3)))
scores[0, scores.argmax()].backward()
cam = features.grad

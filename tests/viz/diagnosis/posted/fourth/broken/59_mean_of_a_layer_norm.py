# question: I test the gradient through LayerNorm with out.mean().backward() and get zeros (1e-9).
# ask: explain x
# cause: a normalised row has the mean 0 whatever the inputs are, so its mean has no slope
# line: loss = F.layer_norm(x, (6,)).mean()
# cure: weigh the outputs, or use another loss, such as a sum of squares against a target
# harmful: larger eps; retain_graph
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(59)
x = torch.randn(3, 6, requires_grad=True)
loss = F.layer_norm(x, (6,)).mean()
loss.backward()
print(x.grad)

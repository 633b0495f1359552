# question: I switched requires_grad on but the input's gradient stays None (the weights have theirs).
# ask: explain probe
# cause: requires_grad was switched on after the forward pass had already used the tensor
# line: probe.requires_grad_(True)
# cure: call requires_grad_ before the forward pass
# harmful: retain_grad
import torch
from torch import nn

torch.manual_seed(79)
layer = nn.Linear(3, 1)
probe = torch.randn(2, 3)
saliency = layer(probe).sum()
probe.requires_grad_(True)
saliency.backward()

# question: can't optimize a non-leaf Tensor, in my style transfer.
# ask: explain error
# cause: torch.rand(..., requires_grad=True) * 255 is a result, not a leaf
# line: image = torch.rand(3, 4, 4, requires_grad=True) * 255
# cure: (torch.rand(3, 4, 4) * 255).requires_grad_()
# harmful: retain_grad
import torch
from torch import nn
import torch.nn.functional as F

image = torch.rand(3, 4, 4, requires_grad=True) * 255
optimizer = torch.optim.Adam([image], lr=1.0)

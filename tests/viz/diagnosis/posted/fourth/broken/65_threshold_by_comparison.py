# question: I want to learn a threshold; threshold.grad is None.
# ask: explain threshold
# cause: x > threshold gives True and False without a derivative
# line: mask = (x > threshold).float()
# cure: a soft step, sigmoid((x - threshold) / temperature)
# harmful: mask.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(65)
x = torch.randn(20)
threshold = torch.tensor(0.3, requires_grad=True)
gain = torch.tensor(1.0, requires_grad=True)
mask = (x > threshold).float()
loss = (gain * mask * x - 1).pow(2).mean()
loss.backward()
print(threshold.grad)

# question: Boolean value of Tensor with more than one value is ambiguous, in the loss line.
# ask: explain error
# cause: nn.MSELoss(pred, y) builds the criterion with the tensors as its options; it has to be made first and then called
# line: loss = nn.MSELoss(pred, y)
# cure: nn.MSELoss()(pred, y), or F.mse_loss(pred, y)
# harmful: pred.any(); .item()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(49)
net = nn.Linear(3, 1)
x, y = torch.randn(10, 3), torch.randn(10, 1)
pred = net(x)
loss = nn.MSELoss(pred, y)
loss.backward()

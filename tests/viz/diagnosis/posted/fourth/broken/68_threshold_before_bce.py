# question: I round the outputs to 0 and 1 before BCELoss: does not require grad.
# ask: explain error
# cause: the comparison with 0.5 makes True/False, which has no gradient
# line: pred = (torch.sigmoid(net(x)) > 0.5).float()
# cure: give the probabilities (or logits) to the loss, compare only for the accuracy
# harmful: pred.requires_grad_(); loss.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(68)
net = nn.Linear(4, 1)
x = torch.randn(16, 4)
y = (x[:, :1] > 0).float()
pred = (torch.sigmoid(net(x)) > 0.5).float()
loss = F.binary_cross_entropy(pred, y)
loss.backward()

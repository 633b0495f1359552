# question: Accuracy loss: I threshold the output and compare, the gradients are None.
# ask: explain error
# cause: a comparison (out > 0) has no gradient, .float() does not bring it back
# line: guess = (net(x) > 0).float()
# cure: use the scores with BCEWithLogitsLoss; threshold only for the accuracy
# harmful: requires_grad_() on the guess
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(21)
net = nn.Linear(3, 1)
x = torch.randn(8, 3)
y = (x[:, :1] > 0).float()
guess = (net(x) > 0).float()
loss = (guess - y).abs().mean()
loss.backward()

# question: element 0 of tensors does not require grad, I want to train on the accuracy itself.
# ask: explain loss
# raises: RuntimeError
# cause: argmax and == give whole numbers/truth values that have no gradient
# line: predicted = scores.argmax(dim=1) || loss = 1 - (predicted == truth).float().mean()
# cure: use cross entropy on the scores
# harmful: loss.requires_grad_()
import torch
from torch import nn

torch.manual_seed(66)
clf = nn.Linear(3, 4)
scores = clf(torch.randn(10, 3))
truth = torch.randint(0, 4, (10,))
predicted = scores.argmax(dim=1)
loss = 1 - (predicted == truth).float().mean()
loss.backward()

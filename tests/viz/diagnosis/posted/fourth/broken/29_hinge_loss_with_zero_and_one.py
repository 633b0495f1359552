# question: My SVM in torch predicts the positive class for everything.
# ask: explain loss
# ask: diagnose step
# cause: the hinge loss needs labels -1 and 1; with 0 the term is a constant 1 without gradient
# line: t = (x[:, 0] > 0).float() || loss = torch.clamp(1 - t * svm(x).squeeze(1), min=0).mean()
# cure: t = 2 * t - 1
# harmful: larger rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(29)
x = torch.randn(50, 2)
t = (x[:, 0] > 0).float()
svm = nn.Linear(2, 1)
opt = torch.optim.SGD(svm.parameters(), lr=0.1, weight_decay=1e-3)


def step():
    opt.zero_grad()
    loss = torch.clamp(1 - t * svm(x).squeeze(1), min=0).mean()
    loss.backward()
    opt.step()
    return loss

for _ in range(60):
    loss = step()

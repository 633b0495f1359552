# question: backward() complained that the loss does not require grad, so I set loss.requires_grad = True. No error now, but no learning.
# ask: explain loss
# ask: diagnose step
# cause: the prediction is an argmax without a gradient; requires_grad on the loss makes a new leaf, nothing reaches the model
# line: pred = net(x).argmax(dim=1).float() || loss.requires_grad = True
# cure: cross_entropy on the scores, no requires_grad on the loss
# harmful: loss.requires_grad_() again
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(37)
net = nn.Linear(4, 3)
x = torch.randn(30, 4)
y = x[:, :3].argmax(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step():
    pred = net(x).argmax(dim=1).float()
    loss = F.mse_loss(pred, y.float())
    loss.requires_grad = True
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(10):
    loss = step()

# question: I sum nothing, I just call backward after the loop over the batches; only the last batch seems to matter.
# ask: explain loss
# ask: diagnose step
# cause: backward and step stand after the inner loop, so only the last batch's loss is used
# line: loss.backward() || loss = F.mse_loss(net(xb), yb)
# cure: move zero_grad, backward and step into the loop over the batches
# harmful: larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(40, 3)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    for xb, yb in zip(x.chunk(5), y.chunk(5)):
        loss = F.mse_loss(net(xb), yb)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

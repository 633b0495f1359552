# question: My loss is negative and goes down without end (-50, -300, ...), but accuracy does not improve.
# ask: explain loss
# ask: diagnose step
# cause: NLLLoss expects log-probabilities but gets raw scores, so it can fall without bound
# line: loss = F.nll_loss(net(x), y)
# cure: F.cross_entropy on the raw scores || log_softmax before nll_loss
# harmful: stop when the loss is negative; take abs of the loss
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(35)
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.rand(60, 4)
y = (x[:, 0] * 3).long()


def step():
    opt.zero_grad()
    loss = F.nll_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

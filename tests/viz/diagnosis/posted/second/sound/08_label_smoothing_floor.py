# question: The loss stops far above zero with label smoothing.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
net = nn.Linear(2, 3)
crit = nn.CrossEntropyLoss(label_smoothing=0.2)
opt = torch.optim.Adam(net.parameters(), lr=0.2)
x = torch.randn(60, 2) * 3
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()


def step():
    opt.zero_grad()
    loss = crit(net(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

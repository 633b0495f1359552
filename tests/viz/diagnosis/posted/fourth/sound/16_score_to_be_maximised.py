# question: ReduceLROnPlateau in mode max gets the accuracy, as it should.
# ask: explain loss
# ask: diagnose epoch
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(16)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", patience=5)
x = torch.randn(40, 4)
y = (x[:, 0] > 0).long()


def epoch():
    opt.zero_grad()
    scores = net(x)
    loss = F.cross_entropy(scores, y)
    loss.backward()
    opt.step()
    scheduler.step((scores.argmax(1) == y).float().mean().item())
    return loss

for _ in range(20):
    loss = epoch()

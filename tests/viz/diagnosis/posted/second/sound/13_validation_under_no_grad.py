# question: I evaluate under no_grad in each iteration.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.03)
x, xv = torch.randn(60, 4), torch.randn(20, 4)
y = (x[:, 1] > 0).long()


def step():
    net.train()
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        net(xv).argmax(1)
    return loss


for _ in range(30):
    loss = step()

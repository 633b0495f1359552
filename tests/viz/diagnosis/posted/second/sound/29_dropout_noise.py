# question: The training loss jumps with heavy dropout but goes down.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(29)
net = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Dropout(0.6), nn.Linear(64, 2))
opt = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.01)
x = torch.randn(80, 5)
y = (x[:, 0] > 0).long()


def step():
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: ReLU between the layers, none on the scores.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
x = torch.randn(60, 4)
y = x[:, :3].argmax(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

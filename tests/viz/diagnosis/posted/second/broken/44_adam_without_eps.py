# question: With Adam(eps=0) my embedding table turns to nan, although the loss of the first iteration is fine.
# ask: explain loss
# ask: diagnose step
# cause: eps=0: rows whose gradient is zero give 0/0 in Adam's update
# line: opt = torch.optim.Adam(net.parameters(), lr=0.01, eps=0.0)
# cure: eps above 0 (the default 1e-8)
# harmful: lower the learning rate
import torch
from torch import nn

torch.manual_seed(44)
net = nn.Sequential(nn.Embedding(20, 4), nn.Flatten(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01, eps=0.0)


def step():
    pairs = torch.randint(0, 20, (4, 2))
    rating = pairs.sum(1, keepdim=True) / 40.0
    opt.zero_grad()
    loss = (net(pairs) - rating).pow(2).mean()
    loss.backward()
    opt.step()
    return loss


for _ in range(10):
    loss = step()

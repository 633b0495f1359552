# ask: explain error
# ask: diagnose for epoch in range(20)
# cause: argmax has no gradient: the loss is cut from the net.
# line: loss.backward()
# line: picked = torch.softmax(scores, dim=1).argmax(dim=1).float()
# line: loss = crit(picked, y)
# cure: loss on scores: cross entropy with long labels (or softmax prob [:,1]).
# harmful: `loss.requires_grad = True` / requires_grad on picked.
import torch
import torch.nn as nn


def train():
    torch.manual_seed(2)
    x = torch.randn(120, 4)
    y = (x[:, 0] > 0).float()
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    crit = nn.MSELoss()
    for epoch in range(20):
        scores = net(x)
        picked = torch.softmax(scores, dim=1).argmax(dim=1).float()
        loss = crit(picked, y)
        opt.zero_grad()
        loss.backward()
        opt.step()


train()

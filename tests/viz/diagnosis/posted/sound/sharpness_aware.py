import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(30, 3)
y = x.sum(1, keepdim=True)
losses = []
for step in range(20):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    moves = []
    with torch.no_grad():
        norm = sum(p.grad.pow(2).sum() for p in net.parameters()).sqrt()
        for p in net.parameters():
            moves.append(0.05 * p.grad / norm)
            p.add_(moves[-1])
    opt.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    with torch.no_grad():
        for p, move in zip(net.parameters(), moves):
            p.sub_(move)
    opt.step()
    losses.append(loss.item())

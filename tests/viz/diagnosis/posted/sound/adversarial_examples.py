import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
x = torch.randn(40, 4)
y = (x[:, 0] > 0).long()
losses = []
for step in range(20):
    attacked = x.clone().requires_grad_()
    grad, = torch.autograd.grad(nn.functional.cross_entropy(net(attacked), y), attacked)
    worse = x + 0.1 * grad.sign()
    loss = nn.functional.cross_entropy(net(worse), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

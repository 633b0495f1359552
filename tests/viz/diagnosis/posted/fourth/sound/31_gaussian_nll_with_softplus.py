# question: Sigma is positive by softplus and a small number; the loss falls below 0 by design.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
x = torch.randn(40, 2)
y = x[:, 0] + 0.1 * torch.randn(40)


def step():
    raw = net(x)
    mu, sigma = raw[:, 0], F.softplus(raw[:, 1]) + 1e-3
    loss = (torch.log(sigma) + 0.5 * ((y - mu) / sigma) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(60):
    loss = step()

# question: x and t are made apart and joined for the net.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(35)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.rand(20, 1, requires_grad=True)
t = torch.rand(20, 1, requires_grad=True)


def step():
    u = net(torch.cat([x, t], 1))
    u_t = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    loss = (u_t - 0.1 * u_xx).pow(2).mean() + (u - torch.sin(x)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()

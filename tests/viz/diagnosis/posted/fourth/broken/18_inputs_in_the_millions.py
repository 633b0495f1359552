# question: House data with square metres and prices as they are: the tanh network gives one value for all houses.
# ask: explain loss
# ask: diagnose step
# cause: the inputs are not scaled (up to a million), the tanh units are saturated and pass no gradient
# line: x = torch.rand(30, 3) * torch.tensor([300.0, 2000.0, 1_000_000.0]) || nn.Tanh()
# cure: standardise the inputs
# harmful: larger learning rate; more layers
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(18)
x = torch.rand(30, 3) * torch.tensor([300.0, 2000.0, 1_000_000.0])
y = x[:, :1] / 300
net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

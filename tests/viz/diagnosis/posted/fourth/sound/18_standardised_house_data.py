# question: The columns in the millions are standardised.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(18)
x = torch.rand(30, 3) * torch.tensor([300.0, 2000.0, 1_000_000.0])
y = x[:, :1] / 300
x = (x - x.mean(0)) / x.std(0)
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

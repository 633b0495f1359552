# question: The training freezes after a few hundred batches, ExponentialLR with gamma 0.5.
# ask: explain loss
# ask: diagnose step
# cause: the schedule halves the rate in each iteration (it is meant for epochs), so it is next to zero soon
# line: schedule.step() || schedule = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
# cure: step the schedule once in each epoch, or a gamma near 1
# harmful: train longer
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)
x = torch.randn(16, 3)
y = x.prod(1, keepdim=True)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    schedule.step()
    return loss

for _ in range(60):
    loss = step()

# question: I normalise the single input feature with LayerNorm and the network then predicts a constant.
# ask: explain loss
# ask: diagnose step
# cause: LayerNorm over one feature subtracts the value from itself: its output is the same for every input
# line: nn.LayerNorm(1),
# cure: remove the LayerNorm over one feature, or normalise over the batch (BatchNorm1d) or by fixed mean and deviation
# harmful: raise eps
import torch
from torch import nn

torch.manual_seed(17)
age = torch.rand(50, 1) * 4
income = 0.5 * age + 1
net = nn.Sequential(
    nn.LayerNorm(1),
    nn.Linear(1, 10),
    nn.Tanh(),
    nn.Linear(10, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = (net(age) - income).abs().mean()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

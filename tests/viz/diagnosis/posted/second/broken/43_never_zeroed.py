# question: The loss first falls, then swings up and down with growing height.
# ask: explain loss
# ask: diagnose step
# cause: zero_grad is never called, so the gradients of all iterations pile up
# line: loss.backward()
# cure: call opt.zero_grad() in each iteration before backward
# harmful: raise the learning rate; retain_graph
import torch
from torch import nn

torch.manual_seed(43)
x = torch.randn(50, 3)
y = x @ torch.tensor([[2.0], [0.0], [-1.0]])
reg = nn.Linear(3, 1)
opt = torch.optim.SGD(reg.parameters(), lr=0.2)
crit = nn.MSELoss()


def step():
    loss = crit(reg(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

# question: My regression error grows from iteration to iteration even with a tiny learning rate.
# ask: explain loss
# ask: diagnose step
# cause: the optimizer was made with maximize=True, so it climbs the loss
# line: opt = torch.optim.SGD(model.parameters(), lr=0.01, maximize=True)
# cure: leave maximize out (False)
# harmful: lower the learning rate
import torch
from torch import nn

torch.manual_seed(58)
model = nn.Sequential(nn.Linear(2, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.01, maximize=True)
x = torch.randn(20, 2)
y = x.sum(1, keepdim=True)


def step():
    loss = nn.functional.l1_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

# question: Each loss is divided by its detached value, so the printed total is always 2.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(38)
body, left, right = nn.Linear(5, 8), nn.Linear(8, 1), nn.Linear(8, 1)
params = [*body.parameters(), *left.parameters(), *right.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
x = torch.randn(30, 5)
a, b = 100 * x.sum(1, keepdim=True), x[:, :1]


def step():
    h = torch.tanh(body(x))
    one = F.mse_loss(left(h), a)
    two = F.mse_loss(right(h), b)
    loss = one / one.detach() + two / two.detach()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

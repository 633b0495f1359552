# question: Two costs are added to one loss.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(4)
body, left, right = nn.Linear(5, 8), nn.Linear(8, 1), nn.Linear(8, 1)
params = [*body.parameters(), *left.parameters(), *right.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
x = torch.randn(30, 5)
a, b = x.sum(1, keepdim=True), x[:, :1]


def step():
    h = torch.tanh(body(x))
    cost = F.mse_loss(left(h), a)
    cost2 = F.mse_loss(right(h), b)
    loss = cost + 0.5 * cost2
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: Poisson regression on raw features: loss inf, then nan.
# ask: explain loss
# ask: diagnose step
# cause: exp of the scores overflows, since the features are in the hundreds and not scaled
# line: loss = (torch.exp(score) - y * score).mean() || x = 400 * torch.rand(30, 3)
# cure: scale the features, or clamp the score
# harmful: nan_to_num
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(35)
x = 400 * torch.rand(30, 3)
y = torch.randint(0, 9, (30,)).float()
w = torch.full((3,), 0.1, requires_grad=True)
opt = torch.optim.SGD([w], lr=1e-3)


def step():
    score = x @ w
    loss = (torch.exp(score) - y * score).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(3):
    loss = step()

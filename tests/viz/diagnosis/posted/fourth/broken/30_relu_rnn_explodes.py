# question: My hand-written RNN with ReLU gives loss inf and then nan with sequences of 200 steps.
# ask: explain loss
# ask: diagnose step
# cause: the recurrent weights are larger than 1 (2 on the diagonal), the state doubles in each of 200 steps and overflows
# line: W = (2 * torch.eye(5)).requires_grad_() || h = torch.relu(h @ W + x[t] @ U)
# cure: smaller recurrent weights (identity), tanh or LSTM, clipping
# harmful: nan_to_num
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(30)
W = (2 * torch.eye(5)).requires_grad_()
U = torch.randn(2, 5, requires_grad=True)
v = torch.randn(5, requires_grad=True)
x = torch.rand(200, 8, 2)
y = x.mean((0, 2))
opt = torch.optim.SGD([W, U, v], lr=0.01)


def step():
    h = torch.zeros(8, 5)
    for t in range(200):
        h = torch.relu(h @ W + x[t] @ U)
    loss = ((h @ v - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(3):
    loss = step()

# question: I clip gradients at 1 but training explodes to nan nevertheless.
# ask: explain loss
# ask: diagnose step
# cause: clip_grad_norm_ is called before backward, when the gradients are zero or None, so it clips nothing
# line: nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
# cure: clip between backward() and step()
# harmful: a smaller max_norm at the same place
import torch
from torch import nn

torch.manual_seed(24)
rnn = nn.Linear(5, 1)
x = torch.randn(20, 5) * 10
y = x.sum(1, keepdim=True)
opt = torch.optim.SGD(rnn.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = ((rnn(x) - y) ** 2).mean()
    nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

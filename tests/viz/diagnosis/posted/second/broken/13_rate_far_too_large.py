# question: The loss doubles each time I print it and becomes inf, then nan, after some iterations.
# ask: explain loss
# ask: diagnose step
# cause: the learning rate is far too large, so each step overshoots and the weights diverge
# line: opt = torch.optim.SGD([w, b], lr=5.0)
# cure: lower the learning rate (0.1 or less)
# harmful: raise the learning rate; replace nan by zero
import torch

torch.manual_seed(12)
x = torch.randn(30, 4) * 3
y = (x * torch.tensor([1.0, 2.0, -1.0, 0.5])).sum(1)
w = torch.zeros(4, requires_grad=True)
b = torch.zeros((), requires_grad=True)
opt = torch.optim.SGD([w, b], lr=5.0)


def step():
    opt.zero_grad()
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    opt.step()
    return loss


for k in range(30):
    loss = step()

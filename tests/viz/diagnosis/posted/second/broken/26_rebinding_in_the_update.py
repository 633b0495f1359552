# question: I write gradient descent by hand with a loop over the parameters, no error, but nothing changes.
# ask: explain w
# ask: diagnose step
# cause: p = p - rate * p.grad only binds the loop's name to a new tensor; the parameters themselves are not changed
# line: p = p - rate * p.grad
# cure: change in place: p -= rate * p.grad (under no_grad) or p.sub_(...)
# harmful: raise the rate
import torch

torch.manual_seed(26)
w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
points = torch.randn(40, 3)
heights = points @ torch.tensor([[1.0], [2.0], [3.0]]) + 4
rate = 0.1


def step():
    loss = ((points @ w + b - heights) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in [w, b]:
            p = p - rate * p.grad
    w.grad = None
    b.grad = None
    return loss


for _ in range(20):
    loss = step()

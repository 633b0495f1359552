# ask: explain error
# ask: diagnose for epoch in range(20)
# cause: w -= lr * w.grad is recorded: a leaf that requires grad is changed in place outside no_grad.
# line: w -= lr * w.grad
# good: wrap the update in with torch.no_grad().
# harmful: requires_grad=False for w; w = w - ... .
import torch
torch.manual_seed(1)
x = torch.randn(40, 2)
y = x @ torch.tensor([2.0, -1.0]) + 0.5
w = torch.zeros(2, requires_grad=True)
b = torch.zeros((), requires_grad=True)
lr = 0.1
for epoch in range(20):
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    w -= lr * w.grad
    b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()

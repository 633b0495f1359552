# ask: explain error
# ask: diagnose for step in range(10)
# cause: w = w - lr * w.grad makes w a non-leaf; in the next iteration w.grad is None.
# line: w = w - lr * w.grad
# good: the line rebinds w to a result, so its .grad stays None; update in place in no_grad.
# harmful: retain_grad() as the cure without an update in place; skip if None.
import torch
torch.manual_seed(2)
x = torch.randn(40, 3)
y = x.sum(1)
w = torch.randn(3, requires_grad=True)
lr = 0.05
for step in range(10):
    loss = (x @ w - y).pow(2).mean()
    loss.backward()
    w = w - lr * w.grad

# ask: explain error
# ask: diagnose for i in range(50)
# cause: in-place update of a leaf outside no_grad.
# line: theta -= 0.1 * theta.grad
# cure: `with torch.no_grad():`, `.data`, optimizer.
# harmful: `theta = theta - 0.1 * theta.grad` (then grad is None); clone; requires_grad False.
import torch

torch.manual_seed(10)
x = torch.randn(100, 2)
y = 3 * x[:, 0] - x[:, 1]
theta = torch.zeros(2, requires_grad=True)

for i in range(50):
    err = x @ theta - y
    loss = err.pow(2).mean()
    loss.backward()
    theta -= 0.1 * theta.grad
    theta.grad.zero_()

print(theta)

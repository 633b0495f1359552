# ask: explain loss
# ask: diagnose for epoch in range(200)
# cause: hand-written SGD with momentum, update under no_grad, grads set to None.
# good: nothing found.
# harmful: "no optimizer".
import torch

torch.manual_seed(30)
X = torch.randn(200, 4)
Y = torch.tanh(X @ torch.randn(4, 1)) * 2
W1 = (torch.randn(4, 16) * 0.5).requires_grad_()
b1 = torch.zeros(16, requires_grad=True)
W2 = (torch.randn(16, 1) * 0.25).requires_grad_()
params = [W1, b1, W2]
velocity = [torch.zeros_like(p) for p in params]

for epoch in range(200):
    loss = (torch.tanh(X @ W1 + b1) @ W2 - Y).square().mean()
    loss.backward()
    with torch.no_grad():
        for p, v in zip(params, velocity):
            v.mul_(0.9).add_(p.grad)
            p -= 0.02 * v
            p.grad = None
print(loss.item())

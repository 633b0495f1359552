# ask: explain loss
# ask: diagnose for step in range(150)
# cause: momentum SGD by hand under no_grad, .grad set to None.
# good: nothing found.
# harmful: any.
import torch
torch.manual_seed(14)
W1 = (torch.randn(3, 10) * 0.5).requires_grad_()
b1 = torch.zeros(10, requires_grad=True)
W2 = (torch.randn(10, 1) * 0.3).requires_grad_()
params = [W1, b1, W2]
velocity = [torch.zeros_like(p) for p in params]
x = torch.randn(60, 3)
y = x[:, :1] * x[:, 1:2]
for step in range(150):
    loss = (torch.tanh(x @ W1 + b1) @ W2 - y).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for p, v in zip(params, velocity):
            v.mul_(0.9).add_(p.grad)
            p -= 0.03 * v
            p.grad = None
print("loss", loss.item())

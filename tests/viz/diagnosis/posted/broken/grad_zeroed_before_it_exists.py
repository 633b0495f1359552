import torch

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
x = torch.randn(8, 3)
for step in range(3):
    w.grad.zero_()
    loss = (x @ w).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad

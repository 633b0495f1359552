import torch

torch.manual_seed(0)
x = torch.randn(10, 2)
y = x @ torch.tensor([1.0, -1.0])
w = torch.randn(2, requires_grad=True)
lr = 0.1
for i in range(3):
    loss = torch.sum((x @ w - y) ** 2)
    loss.backward()
    w = w - lr * w.grad

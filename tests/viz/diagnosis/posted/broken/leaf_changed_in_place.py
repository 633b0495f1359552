import torch

x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([2.0, 4.0, 6.0])
w = torch.tensor(0.5, requires_grad=True)
lr = 0.01
for epoch in range(5):
    loss = ((x * w - y) ** 2).mean()
    loss.backward()
    w -= lr * w.grad
    w.grad.zero_()

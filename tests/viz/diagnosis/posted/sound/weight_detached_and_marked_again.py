import torch

torch.manual_seed(0)
x = torch.randn(10, 2)
y = x @ torch.tensor([1.0, -1.0])
w = torch.randn(2, requires_grad=True)
losses = []
for i in range(20):
    loss = torch.mean((x @ w - y) ** 2)
    loss.backward()
    w = (w - 0.2 * w.grad).detach().requires_grad_()
    losses.append(loss.item())

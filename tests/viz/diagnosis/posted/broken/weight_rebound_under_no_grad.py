import torch


def mse(pred, target):
    return (pred - target).pow(2).mean()


x = torch.arange(8.0)
y = 0.5 * x
w = torch.zeros((), requires_grad=True)
for epoch in range(4):
    loss = mse(w * x, y)
    loss.backward()
    with torch.no_grad():
        w = w - 0.05 * w.grad

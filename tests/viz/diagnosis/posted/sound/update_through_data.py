import torch

x_data = torch.tensor([1.0, 2.0, 3.0])
y_data = torch.tensor([2.0, 4.0, 6.0])
w = torch.tensor([1.0], requires_grad=True)
losses = []
for epoch in range(10):
    total = 0.0
    for x, y in zip(x_data, y_data):
        loss = (w * x - y).pow(2).sum()
        loss.backward()
        w.data = w.data - 0.01 * w.grad.data
        w.grad.data.zero_()
        total += loss.item()
    losses.append(total)

import torch

torch.manual_seed(0)
model = torch.nn.Linear(3, 1)
x, y = torch.randn(20, 3), torch.randn(20, 1)
losses = []
for epoch in range(10):
    loss = torch.nn.functional.mse_loss(model(x), y)
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p = p - 0.1 * p.grad
    losses.append(loss.item())

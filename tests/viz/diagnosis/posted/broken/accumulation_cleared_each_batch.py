import torch
import torch.nn.functional as F

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
accumulate = 4
used = last_alone = None
xs, ys = torch.randn(12, 8, 4), torch.randn(12, 8, 1)
for i in range(12):
    optimizer.zero_grad()
    loss = F.mse_loss(model(xs[i]), ys[i]) / accumulate
    loss.backward()
    if (i + 1) % accumulate == 0:
        used = model.weight.grad.norm().item()
        last_alone = torch.autograd.grad(F.mse_loss(model(xs[i]), ys[i]) / accumulate, model.weight)[0].norm().item()
        optimizer.step()

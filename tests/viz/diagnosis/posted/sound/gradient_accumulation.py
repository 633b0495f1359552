import torch
import torch.nn.functional as F

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulate = 4
xs = torch.randn(8, 8, 4)
ys = xs.sum(2, keepdim=True)
losses = []
for epoch in range(6):
    total = 0.0
    for i in range(8):
        loss = F.mse_loss(model(xs[i]), ys[i]) / accumulate
        loss.backward()
        total += loss.item()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
    losses.append(total)

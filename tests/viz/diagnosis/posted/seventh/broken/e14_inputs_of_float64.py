# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: the inputs are float64 (from Python doubles/numpy), the weights are float32.
# line: X = torch.tensor(rows, dtype=torch.float64)
# cure: `.float()` on the data (or model.double() with targets too).
# harmful: `.long()`; set only y to float; casting the weights to int.
import torch
import torch.nn as nn

torch.manual_seed(13)
rows = [[0.1 * i, 0.2 * (i % 7)] for i in range(50)]
X = torch.tensor(rows, dtype=torch.float64)
y = X.sum(dim=1, keepdim=True).float()
reg = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
optim = torch.optim.RMSprop(reg.parameters(), lr=1e-3)

for epoch in range(10):
    yhat = reg(X)
    loss = nn.functional.mse_loss(yhat, y)
    optim.zero_grad()
    loss.backward()
    optim.step()

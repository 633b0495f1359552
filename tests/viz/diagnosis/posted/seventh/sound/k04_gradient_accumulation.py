# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: gradient accumulation, loss/accum, step+zero every 4.
# good: nothing found.
# harmful: zero_grad in each micro-step.
import torch
import torch.nn as nn

torch.manual_seed(3)
accumulation_steps = 4
model = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
X = torch.randn(256, 6)
Y = (X[:, 0] * X[:, 1]).unsqueeze(1)

optimizer.zero_grad()
for epoch in range(40):
    for i in range(16):
        xb, yb = X[i * 16:(i + 1) * 16], Y[i * 16:(i + 1) * 16]
        loss = nn.functional.mse_loss(model(xb), yb) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
print(loss.item() * accumulation_steps)

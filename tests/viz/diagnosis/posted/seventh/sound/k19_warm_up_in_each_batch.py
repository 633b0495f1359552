# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: linear warm-up (lr starts very small) + cosine, scheduler stepped per batch ON PURPOSE (LambdaLR in steps).
# good: nothing found.
# harmful: "scheduler per batch".
import math
import torch
import torch.nn as nn

torch.manual_seed(18)
steps, warm = 200, 20


def factor(s):
    if s < warm:
        return (s + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (s - warm) / (steps - warm)))


model = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True, norm_first=True)
head = nn.Linear(16, 2)
optimizer = torch.optim.AdamW([*model.parameters(), *head.parameters()], lr=3e-3)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
x = torch.randn(160, 5, 16)
y = (x[:, :, 0].max(dim=1).values > 1.1).long()

for epoch in range(40):
    for i in range(0, 160, 32):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(model(x[i:i + 32]).mean(1)), y[i:i + 32])
        loss.backward()
        optimizer.step()
        scheduler.step()
print(loss.item())

# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: gradient accumulation with `zero_grad()` in each micro-step: only the last of the 4 micro-batches (always the same class group) ever counts.
# line: optimizer.zero_grad() (at the head of each micro-step)
# cure: zero_grad only after the step (inside the `if`).
# harmful: deleting zero_grad altogether (gradients pile up for ever; in this tiny case Adam still learns); stepping in every micro-batch while keeping /4 (tolerable, not the intention); raising lr.
import torch
import torch.nn as nn

torch.manual_seed(18)
accum = 4
protos = torch.randn(4, 10) * 2
labels = torch.arange(4).repeat_interleave(20)        # sorted: 0..0 1..1 2..2 3..3
feats = protos[labels] + 0.5 * torch.randn(80, 10)
model = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(40):
    for i in range(4):
        optimizer.zero_grad()
        xb, yb = feats[i * 20:(i + 1) * 20], labels[i * 20:(i + 1) * 20]
        loss = criterion(model(xb), yb) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            optimizer.step()
print("acc", (model(feats).argmax(1) == labels).float().mean().item())

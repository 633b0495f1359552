# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: backbone frozen on purpose with requires_grad=False, only the head in the optimizer.
# good: nothing found.
# harmful: unfreeze; "parameters without gradient".
import torch
import torch.nn as nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
head = nn.Linear(64, 4)
model = nn.Sequential(backbone, head)
for p in backbone.parameters():      # feature extraction: only the head is trained
    p.requires_grad = False
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-2)
protos = torch.randn(4, 12) * 1.5
y = torch.randint(0, 4, (200,))
x = protos[y] + 0.5 * torch.randn(200, 12)
criterion = nn.CrossEntropyLoss()

for epoch in range(40):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())

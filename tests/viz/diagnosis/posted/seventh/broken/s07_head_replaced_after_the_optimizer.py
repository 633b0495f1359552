# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: the optimizer was made before `model.fc` was replaced, so it holds the old head; the new head never trains (backbone is frozen).
# line: model.fc = nn.Linear(64, 5) (after optimizer = ...)
# cure: make the optimizer after replacing the head (or add_param_group for the new head).
# harmful: unfreezing the backbone only; raising lr; re-creating the optimizer in every iteration.
import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.fc = nn.Linear(64, 1000)

    def forward(self, x):
        return self.fc(self.features(x))


torch.manual_seed(6)
model = Backbone()
for p in model.features.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
# our dataset has 5 classes only
model.fc = nn.Linear(64, 5)

proto = torch.randn(5, 12)
y = torch.randint(0, 5, (200,))
x = proto[y] + 0.3 * torch.randn(200, 12)
criterion = nn.CrossEntropyLoss()

for epoch in range(40):
    optimizer.zero_grad()
    logits = model(x)
    loss = criterion(logits, y)
    loss.backward()
    optimizer.step()
print("acc", (model(x).argmax(1) == y).float().mean().item())

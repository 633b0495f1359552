# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: typo `require_grad` (no s at the end of `requires`): only sets a new Python attribute, the pretrained backbone isn't frozen and is wrecked by fine-tuning with a large lr.
# line: p.require_grad = False
# cure: `p.requires_grad = False` / `requires_grad_(False)` (and/or only head.parameters() to the optimizer).
# harmful: advising to unfreeze; no_grad around the whole model; lowering only the head's lr.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(29)
A = torch.randn(40, 6)
backbone = nn.Linear(40, 6, bias=False)       # stands for the pretrained features
with torch.no_grad():
    backbone.weight.copy_(A.t() / 6)
pretrained = backbone.weight.clone()
head = nn.Linear(6, 1)
model = nn.Sequential(backbone, head)

# freeze the backbone
for p in backbone.parameters():
    p.require_grad = False

x = torch.randn(30, 40)                        # a tiny data set
y = (x @ A / 6).sum(1, keepdim=True) + 0.5 * torch.randn(30, 1)
x_test = torch.randn(300, 40)
y_test = (x_test @ A / 6).sum(1, keepdim=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

for epoch in range(300):
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("train", loss.item(), "test", F.mse_loss(model(x_test), y_test).item())

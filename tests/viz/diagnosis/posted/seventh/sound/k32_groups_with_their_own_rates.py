# ask: explain loss
# ask: diagnose for epoch in range(80)
# cause: parameter groups with different lr, biases without weight decay.
# good: nothing found.
# harmful: none.
import torch
import torch.nn as nn

torch.manual_seed(31)
net = nn.ModuleDict({
    "backbone": nn.Sequential(nn.Linear(10, 32), nn.ReLU()),
    "head": nn.Linear(32, 3)})
decay = [p for n, p in net["backbone"].named_parameters() if not n.endswith("bias")]
no_decay = [p for n, p in net["backbone"].named_parameters() if n.endswith("bias")]
optimizer = torch.optim.AdamW([
    {"params": decay, "lr": 1e-4, "weight_decay": 0.01},
    {"params": no_decay, "lr": 1e-4, "weight_decay": 0.0},
    {"params": net["head"].parameters(), "lr": 1e-2}])
x = torch.randn(200, 10)
y = x[:, :3].argmax(1)

for epoch in range(80):
    out = net["head"](net["backbone"](x))
    loss = nn.functional.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())

# ask: explain error
# ask: diagnose model.load_state_dict(checkpoint["model"])
# cause: the checkpoint was saved from a DataParallel-wrapped model: all keys have the prefix `module.`.
# line: model.load_state_dict(checkpoint["model"])
# cure: strip "module." from the keys (or load into the wrapped model / `.module.state_dict()`).
# harmful: `strict=False` (loads nothing at all, silently).
import torch
import torch.nn as nn


def build():
    return nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))


torch.manual_seed(10)
trained = nn.DataParallel(build())
checkpoint = {"epoch": 3, "model": trained.state_dict()}

model = build()
model.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x, y = torch.randn(40, 6), torch.randint(0, 2, (40,))

for epoch in range(checkpoint["epoch"], 6):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

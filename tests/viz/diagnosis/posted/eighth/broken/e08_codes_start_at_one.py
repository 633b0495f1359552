# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: codes start at 1: label 4 with 4 classes.
# line: loss = nn.functional.cross_entropy(model(signal), target)
# line: codes = {w: k for k, w in enumerate(names, start=1)}
# line: target = torch.tensor([codes[w] for w in words])
# cure: `start=0` / subtract 1; `len(names) + 1` outputs = acceptable.
# harmful: clamp; ignore_index=4.
import torch
from torch import nn

torch.manual_seed(7)
names = ["low", "mid", "high", "top"]
codes = {w: k for k, w in enumerate(names, start=1)}
words = [names[i] for i in torch.randint(0, 4, (80,)).tolist()]
target = torch.tensor([codes[w] for w in words])
signal = torch.randn(80, 9)

model = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Linear(16, len(names)))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    loss = nn.functional.cross_entropy(model(signal), target)
    opt.zero_grad()
    loss.backward()
    opt.step()

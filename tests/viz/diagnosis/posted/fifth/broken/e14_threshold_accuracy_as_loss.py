# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: the loss is one minus accuracy with (prob > 0.5).float(): the comparison has no derivative, loss has no grad_fn.
# line: pred = (prob > 0.5).float()
# good: the comparison cuts the graph; use BCE on prob/logits.
# harmful: loss.requires_grad_(True).
import torch
from torch import nn
torch.manual_seed(13)
clf = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.Adam(clf.parameters(), lr=1e-2)
pts = torch.randn(100, 2)
inside = (pts.norm(dim=1) < 1).float()
for epoch in range(10):
    prob = clf(pts).squeeze(1)
    pred = (prob > 0.5).float()
    loss = 1 - (pred == inside).float().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

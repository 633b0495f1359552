# ask: explain loss
# ask: diagnose for it in range(10)
# cause: the hand-written cross entropy takes log(1 - p) with p exactly 1: 0 * log(0) = NaN / -inf.
# line: loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
# good: log of 0 as the sigmoid is saturated; use binary_cross_entropy_with_logits (or clamp/eps).
# harmful: nan_to_num on the loss; skip NaN batches.
import torch
from torch import nn
torch.manual_seed(3)
clf = nn.Linear(2, 1)
opt = torch.optim.SGD(clf.parameters(), lr=0.5)
x = torch.randn(100, 2) * 60
y = (x[:, :1] > 0).float()
for it in range(10):
    p = torch.sigmoid(clf(x))
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())

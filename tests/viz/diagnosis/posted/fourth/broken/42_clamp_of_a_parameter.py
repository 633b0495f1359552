# question: After each step I keep my weights positive with clamp_; RuntimeError about a leaf in an in-place operation.
# ask: explain error
# cause: an in-place change of a leaf that requires grad has to stand in torch.no_grad()
# line: w.clamp_(min=0)
# cure: with torch.no_grad(): w.clamp_(min=0)
# harmful: w.requires_grad_(False)
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(42)
w = torch.rand(4, requires_grad=True)
x, y = torch.rand(20, 4), torch.rand(20)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(5):
    loss = ((x @ w - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    w.clamp_(min=0)

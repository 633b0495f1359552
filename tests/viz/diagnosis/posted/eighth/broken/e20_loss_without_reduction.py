# ask: explain error
# ask: diagnose for it in range(10)
# cause: loss is a vector (reduction none).
# line: loss.backward()
# line: return per * w
# line: per = nn.functional.cross_entropy(model(x), y, reduction="none")
# cure: `.mean()` / `.sum()`.
# harmful: `loss.backward(torch.ones_like(loss))` works = acceptable; `loss[0]`.
import torch
from torch import nn


def weighted(model, x, y, w):
    per = nn.functional.cross_entropy(model(x), y, reduction="none")
    return per * w


torch.manual_seed(19)
x = torch.randn(40, 5)
y = torch.randint(0, 2, (40,))
w = torch.where(y == 1, 3.0, 1.0)
model = nn.Linear(5, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for it in range(10):
    opt.zero_grad()
    loss = weighted(model, x, y, w)
    loss.backward()
    opt.step()

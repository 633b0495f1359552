# ask: explain error
# ask: diagnose second.load_state_dict(saved)
# cause: keys have the prefix "module.".
# line: second.load_state_dict(saved)
# line: saved = first.state_dict()
# cure: `first.module.state_dict()`, strip prefix, wrap `second`.
# harmful: `strict=False` (loads nothing silently!).
import torch
import torch.nn as nn


def body():
    return nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))


class Wrap(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


torch.manual_seed(15)
first = Wrap(body())
opt = torch.optim.Adam(first.parameters(), lr=1e-2)
x = torch.randn(60, 6)
y = (x[:, 2] > 0).long()
for step in range(30):
    loss = nn.functional.cross_entropy(first(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
saved = first.state_dict()

second = body()
second.load_state_dict(saved)
print((second(x).argmax(1) == y).float().mean().item())

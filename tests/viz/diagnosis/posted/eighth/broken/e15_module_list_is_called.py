# ask: explain error
# ask: diagnose for k in range(4)
# cause: a ModuleList cannot be called.
# line: return self.steps(x)
# line: for a, b in zip(dims[:-1], dims[1:]):
# cure: loop in forward, `nn.Sequential(*self.steps)`.
# harmful: plain list.
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.steps = nn.ModuleList()
        for a, b in zip(dims[:-1], dims[1:]):
            self.steps.append(nn.Linear(a, b))
            self.steps.append(nn.GELU())

    def forward(self, x):
        return self.steps(x)


torch.manual_seed(14)
stack = Stack([4, 16, 16, 3])
opt = torch.optim.AdamW(stack.parameters(), lr=1e-3)
for k in range(4):
    out = stack(torch.randn(10, 4))
    loss = out.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# question: The first epoch trains, after validation the second epoch raises "does not require grad".
# ask: explain loss
# raises: RuntimeError
# cause: the validation switches gradients off with set_grad_enabled(False) and never on again
# line: torch.set_grad_enabled(False)
# cure: with torch.no_grad(): in the validation || torch.set_grad_enabled(True) after it
# harmful: requires_grad_() on the loss
import torch
from torch import nn

torch.manual_seed(87)
m = nn.Linear(3, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
x, y = torch.randn(9, 3), torch.randn(9, 1)


def validate():
    torch.set_grad_enabled(False)
    return (m(x) - y).abs().mean()


for epoch in range(2):
    loss = (m(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    validate()

# question: I clip gradients but the norm of the update is still enormous and training blows up.
# ask: explain loss
# ask: diagnose step
# cause: clip_grad_norm_ is called after optimizer.step(), when the gradients have been used
# line: nn.utils.clip_grad_norm_(net.parameters(), 1.0)
# cure: clip between backward() and step()
# harmful: smaller max_norm at the same place
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(7)
x = 20 * torch.randn(30, 4)
y = x.sum(1, keepdim=True)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    return loss

for _ in range(40):
    loss = step()

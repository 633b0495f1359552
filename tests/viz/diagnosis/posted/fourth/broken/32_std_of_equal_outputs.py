# question: A penalty on the spread of the outputs: after the first step every weight is nan.
# ask: explain head.weight
# ask: diagnose step
# cause: all outputs are equal in the first step (the head starts at zero), the spread is 0 and the derivative of sqrt divides by 0
# line: spread = (out - out.mean()).pow(2).mean().sqrt() || nn.init.zeros_(head.weight)
# cure: an eps under the root, or a start that is not zero
# harmful: nan_to_num on the weights; smaller rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(32)
head = nn.Linear(4, 1)
nn.init.zeros_(head.weight)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x = torch.randn(16, 4)
y = x.mean(1, keepdim=True)


def step():
    out = head(x)
    spread = (out - out.mean()).pow(2).mean().sqrt()
    loss = F.mse_loss(out, y) + 0.1 * spread
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(3):
    loss = step()

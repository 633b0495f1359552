# question: Validation runs under inference_mode, training does not.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(36)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, xv = torch.randn(30, 3), torch.randn(10, 3)


def step():
    loss = F.mse_loss(net(x), x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.inference_mode():
        F.mse_loss(net(xv), xv.sum(1, keepdim=True)).item()
    return loss

for _ in range(15):
    loss = step()

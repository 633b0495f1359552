# question: The parameters are a list, used by the optimizer and by the clipping.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(24)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.05)
x = 3 * torch.randn(20, 3)
y = x.sum(1, keepdim=True)


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(params, 0.5)
    opt.step()
    return loss

for _ in range(20):
    loss = step()

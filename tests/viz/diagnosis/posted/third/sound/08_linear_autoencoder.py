# question: Two linear layers without activation: PCA by gradient descent, on purpose.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
auto = nn.Sequential(nn.Linear(8, 2), nn.Linear(2, 8))
opt = torch.optim.Adam(auto.parameters(), lr=0.02)
x = torch.randn(40, 2) @ torch.randn(2, 8)


def step():
    opt.zero_grad()
    loss = F.mse_loss(auto(x), x)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: I build Adam inside the loop; the training is jumpy and momentum seems to have no effect.
# ask: explain loss
# ask: diagnose step
# cause: a new optimizer is made in every iteration, so its moments are lost each time
# line: optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
# cure: make the optimizer once before the loop
# harmful: larger betas
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(16)
model = nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 1))
x = torch.randn(50, 3)
y = x.pow(2).sum(1, keepdim=True)


def step():
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss

for _ in range(20):
    loss = step()

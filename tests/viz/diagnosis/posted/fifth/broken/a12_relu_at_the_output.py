# ask: explain loss
# ask: diagnose for _ in range(60)
# cause: the regression net ends in ReLU while the targets are negative: the outputs are 0 and the gradient dies.
# line: nn.Linear(16, 1), nn.ReLU()
# good: the last ReLU outputs 0 everywhere; remove the last ReLU.
# harmful: clamp; higher rate.
import torch
from torch import nn
torch.manual_seed(11)
def build():
    return nn.Sequential(
        nn.Linear(3, 16), nn.ReLU(),
        nn.Linear(16, 1), nn.ReLU())
temperature = torch.randn(80, 3)
freezing = -10 + temperature.sum(1, keepdim=True)
net = build()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
def train_step():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(temperature), freezing)
    loss.backward()
    opt.step()
    return loss
for _ in range(60):
    loss = train_step()
#D train_step
print("loss", loss.item())

# question: The loss drops a little in each iteration and then starts again from the same value.
# ask: explain loss
# ask: diagnose step
# cause: the saved start weights are loaded at the beginning of each iteration, which undoes the last update
# line: model.load_state_dict(best)
# cure: take load_state_dict out of the loop (load once before training)
# harmful: raise the learning rate
import torch
from torch import nn
import copy

torch.manual_seed(30)
model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
best = copy.deepcopy(model.state_dict())
opt = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(32, 3)
y = x.prod(1, keepdim=True)


def step():
    model.load_state_dict(best)
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

# question: I rebuilt the network with another width in the notebook; since then the loss is constant.
# ask: explain loss
# ask: diagnose step
# cause: the optimizer was made for the first model; the new model's parameters are held by no optimizer
# line: opt = torch.optim.Adam(model.parameters(), lr=0.01) || model = make(32)
# cure: make the optimizer after the model
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F

def make(width):
    return nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, 1))


torch.manual_seed(3)
model = make(8)
opt = torch.optim.Adam(model.parameters(), lr=0.01)
model = make(32)
x = torch.randn(20, 3)
y = x.abs().sum(1, keepdim=True)


def step():
    loss = F.l1_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

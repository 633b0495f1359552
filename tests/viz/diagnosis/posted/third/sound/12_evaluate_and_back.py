# question: Validation in eval mode, then train mode again.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(12)
model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x, xv = torch.randn(40, 4), torch.randn(10, 4)
y, yv = x.sum(1, keepdim=True), xv.sum(1, keepdim=True)


def step():
    model.train()
    loss = F.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        F.mse_loss(model(xv), yv)
    return loss

for _ in range(20):
    loss = step()

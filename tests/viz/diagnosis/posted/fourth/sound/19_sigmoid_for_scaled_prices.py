# question: The targets are scaled to 0..1 for the sigmoid.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(19)
feats = torch.randn(30, 4)
price = 20 + 70 * torch.sigmoid(feats[:, :1])
goal = (price - 20) / 70
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.Adam(model.parameters(), lr=0.02)


def step():
    opt.zero_grad()
    loss = F.mse_loss(model(feats), goal)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

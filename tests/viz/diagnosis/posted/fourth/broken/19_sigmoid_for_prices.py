# question: Regression of prices between 20 and 90: the prediction is 1.0 for every row.
# ask: explain loss
# ask: diagnose step
# cause: the last layer is a sigmoid, its output cannot leave 0..1, the targets are between 20 and 90
# line: nn.Linear(8, 1), nn.Sigmoid() || price = 20 + 70 * torch.rand(30, 1)
# cure: remove the sigmoid, or scale the targets to 0..1
# harmful: larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(19)
feats = torch.randn(30, 4)
price = 20 + 70 * torch.rand(30, 1)
model = nn.Sequential(
    nn.Linear(4, 8), nn.ReLU(),
    nn.Linear(8, 1), nn.Sigmoid(),
)
opt = torch.optim.Adam(model.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.l1_loss(model(feats), price)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()

# question: Binary classifier: loss stops at 0.55 or so and the gradient is small.
# ask: explain loss
# ask: diagnose step
# cause: the model already ends in a sigmoid and BCEWithLogitsLoss applies another one
# line: nn.Linear(8, 1), nn.Sigmoid(), || criterion = nn.BCEWithLogitsLoss()
# cure: remove the sigmoid, or use BCELoss
# harmful: raise the learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
model = nn.Sequential(
    nn.Linear(4, 8), nn.ReLU(),
    nn.Linear(8, 1), nn.Sigmoid(),
)
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(model.parameters(), lr=0.05)
x = torch.randn(50, 4)
y = (x[:, :1] > 0).float()


def step():
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(40):
    loss = step()

# question: My regression always ends up predicting the mean of the targets; there is only a warning about sizes that I ignored.
# ask: explain loss
# ask: diagnose step
# cause: prediction has shape (N, 1) and target (N,), so the difference broadcasts to (N, N) and every prediction is compared with every target
# line: diff = house(features) - prices
# cure: make the shapes equal: squeeze the prediction or unsqueeze the target
# harmful: use more layers; lower the learning rate
import torch
from torch import nn

torch.manual_seed(6)
features = torch.randn(40, 3)
prices = features[:, 0] * 2 + features[:, 1] - 0.5 * features[:, 2]
house = nn.Linear(3, 1)
opt = torch.optim.SGD(house.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    diff = house(features) - prices
    loss = diff.pow(2).mean()
    loss.backward()
    opt.step()
    return loss


for i in range(30):
    loss = step()

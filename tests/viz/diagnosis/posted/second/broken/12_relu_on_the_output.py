# question: My model predicts temperatures, half of them below zero, and the error on the cold ones never gets smaller.
# ask: explain loss
# ask: diagnose step
# cause: the last layer is followed by ReLU, so the output cannot be negative while most targets are negative
# line: nn.Linear(8, 1), nn.ReLU(),
# cure: remove the ReLU after the last layer
# harmful: scale the targets by their absolute value
import torch
from torch import nn

torch.manual_seed(11)
hours = torch.rand(48, 2) * 2 - 1
temperature = -3 + 2 * hours[:, :1] - hours[:, 1:]
forecaster = nn.Sequential(
    nn.Linear(2, 8), nn.ReLU(),
    nn.Linear(8, 1), nn.ReLU(),
)
optimiser = torch.optim.SGD(forecaster.parameters(), lr=0.05)
loss_fn = nn.MSELoss()


def step():
    optimiser.zero_grad()
    loss = loss_fn(forecaster(hours), temperature)
    loss.backward()
    optimiser.step()
    return loss


for day in range(30):
    loss = step()

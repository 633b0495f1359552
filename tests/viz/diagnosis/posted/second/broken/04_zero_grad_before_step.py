# question: I followed the five lines of the tutorial but the weights do not move at all.
# ask: explain weight
# ask: diagnose one_iteration
# cause: zero_grad stands between backward and step, so step sees no gradients
# line: sgd.zero_grad()
# cure: call zero_grad before backward (or after step)
# harmful: raise the learning rate
import torch
from torch import nn

torch.manual_seed(3)
celsius = torch.linspace(-10, 30, 20).unsqueeze(1) / 30
fahrenheit = celsius * 1.8 + 1.07
line = nn.Linear(1, 1)
weight = line.weight
sgd = torch.optim.SGD(line.parameters(), lr=0.1)
mse = nn.MSELoss()


def one_iteration():
    error = mse(line(celsius), fahrenheit)
    error.backward()
    sgd.zero_grad()
    sgd.step()
    return error


for i in range(20):
    loss = one_iteration()

import numpy as np
import torch


def activation(s):
    return torch.from_numpy(np.tanh(s.detach().numpy()))


torch.manual_seed(0)
layer = torch.nn.Linear(4, 1)
sgd = torch.optim.SGD(layer.parameters(), lr=0.1)
x, t = torch.randn(10, 4), torch.rand(10, 1)
for n in range(3):
    loss = torch.nn.functional.mse_loss(activation(layer(x)), t)
    sgd.zero_grad()
    loss.backward()
    sgd.step()

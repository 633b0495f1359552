import torch
import torch.nn as nn


def init(layer):
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)


xor_in = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
xor_out = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
brain = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
brain.apply(init)
opt = torch.optim.SGD(brain.parameters(), lr=0.5)
losses = []
for i in range(20):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(brain(xor_in), xor_out)
    loss.backward()
    opt.step()
    losses.append(loss.item())

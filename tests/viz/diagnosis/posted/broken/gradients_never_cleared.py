import torch
from torch import nn

torch.manual_seed(0)
seq = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(seq.parameters(), lr=0.3)
inputs = torch.randn(50, 2)
outputs = inputs.prod(1, keepdim=True) * 3
losses = []
for epoch in range(40):
    loss = nn.functional.mse_loss(seq(inputs), outputs)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

import itertools

import torch

torch.manual_seed(0)
layers = [torch.nn.Linear(3, 8), torch.nn.Linear(8, 1)]
opt = torch.optim.Adam(itertools.chain.from_iterable(layer.parameters() for layer in layers), lr=0.05)
x = torch.randn(20, 3)
y = x.prod(1, keepdim=True)
losses = []
for _ in range(30):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(layers[1](torch.tanh(layers[0](x))), y)
    loss.backward()
    opt.step()
    losses.append(loss.item())

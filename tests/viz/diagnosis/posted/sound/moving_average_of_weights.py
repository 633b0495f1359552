import copy

import torch

torch.manual_seed(0)
online = torch.nn.Linear(4, 1)
average = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.SGD(online.parameters(), lr=0.1)
x = torch.randn(30, 4)
y = x.sum(1, keepdim=True)
losses = []
for step in range(20):
    loss = torch.nn.functional.mse_loss(online(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), online.parameters()):
            slow.mul_(0.9).add_(fast, alpha=0.1)
    losses.append(loss.item())

import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Linear(4, 8)
heads = nn.ModuleList([nn.Linear(8, 1), nn.Linear(8, 1)])
opt = torch.optim.Adam([*trunk.parameters(), *heads.parameters()], lr=0.03)
x = torch.randn(20, 4)
wanted = [x[:, :1], x.sum(1, keepdim=True)]
losses = []
for step in range(20):
    task = step % 2
    loss = nn.functional.mse_loss(heads[task](torch.relu(trunk(x))), wanted[task])
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

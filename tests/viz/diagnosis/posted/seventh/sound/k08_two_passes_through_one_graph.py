# ask: explain loss
# ask: diagnose for epoch in range(80)
# cause: two losses on one graph, first backward(retain_graph=True) on purpose, then one step.
# good: nothing found.
# harmful: drop retain_graph (error).
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
cls_head, reg_head = nn.Linear(32, 2), nn.Linear(32, 1)
params = [*trunk.parameters(), *cls_head.parameters(), *reg_head.parameters()]
optimizer = torch.optim.Adam(params, lr=5e-3)
x = torch.randn(200, 10)
c = (x[:, 0] > 0).long()
r = x[:, 1:2] - x[:, 2:3]
norms = []

for epoch in range(80):
    h = trunk(x)
    loss_c = F.cross_entropy(cls_head(h), c)
    loss_r = F.mse_loss(reg_head(h), r)
    optimizer.zero_grad()
    loss_c.backward(retain_graph=True)          # look at the share of the first task
    norms.append(trunk[0].weight.grad.norm().item())
    loss_r.backward()
    optimizer.step()
    loss = loss_c + loss_r                      # for the print only
print(loss.item(), norms[-1])

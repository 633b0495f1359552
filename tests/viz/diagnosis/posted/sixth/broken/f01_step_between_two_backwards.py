# ask: explain error
# ask: diagnose for i in range(4)
# cause: opt.step() changes the weights in place between the two backward passes through the same graph.
# line: opt.step()  (the first)
# good: opt.step() changed the weight that the second backward needs; do both backwards first (or sum the losses), then one step.
# harmful: clone weights; only retain_graph.
import torch
from torch import nn
torch.manual_seed(0)
trunk = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU())
head_a, head_b = nn.Linear(8, 1), nn.Linear(8, 1)
opt = torch.optim.Adam([*trunk.parameters(), *head_a.parameters(), *head_b.parameters()], lr=1e-3)
x, ya, yb = torch.randn(16, 4), torch.randn(16, 1), torch.randn(16, 1)
for i in range(4):
    z = trunk(x)
    loss_a = (head_a(z) - ya).pow(2).mean()
    loss_b = (head_b(z) - yb).pow(2).mean()
    opt.zero_grad()
    loss_a.backward(retain_graph=True)
    opt.step()
    opt.zero_grad()
    loss_b.backward()
    opt.step()

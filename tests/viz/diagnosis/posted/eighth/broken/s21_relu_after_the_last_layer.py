# ask: explain loss
# ask: diagnose for step in range(800)
# cause: the last block also has a ReLU: outputs cannot be negative, half of the targets are; here the unit dies and outputs 0.
# line: blocks += [nn.Linear(a, b), nn.ReLU()]
# line: net = nn.Sequential(*blocks)
# cure: `nn.Sequential(*blocks[:-1])`, no ReLU after last Linear. LeakyReLU at all places = partial.
# harmful: shifting lr; clamp targets; sigmoid/tanh at the end (targets exceed it).
import torch
import torch.nn as nn

torch.manual_seed(17)
sizes = [3, 32, 32, 1]
blocks = []
for a, b in zip(sizes, sizes[1:]):
    blocks += [nn.Linear(a, b), nn.ReLU()]
net = nn.Sequential(*blocks)

u = torch.rand(400, 3) * 4 - 2
v = torch.sin(2 * u[:, :1]) - 0.6 + 0.3 * u[:, 1:2]
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

for step in range(800):
    loss = nn.functional.mse_loss(net(u), v)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 200 == 0:
        print(step, loss.item())
print("mse", loss.item(), "var", v.var().item())

# ask: explain error
# ask: diagnose for step in range(40)
# cause: `scale` is computed once outside the loop; its graph is freed by the first backward.
# line: loss.backward()
# line: scale = torch.exp(log_scale)
# line: loss = ((scale * net(x) - y) ** 2).mean()
# cure: compute `torch.exp(log_scale)` in the loop.
# harmful: `retain_graph=True` (in-place error/stale value), detach (log_scale no longer learned).
import torch
import torch.nn as nn

torch.manual_seed(29)
log_scale = torch.zeros(1, requires_grad=True)
scale = torch.exp(log_scale)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam([*net.parameters(), log_scale], lr=1e-2)

x = torch.randn(80, 2)
y = 5 * torch.tanh(x[:, :1])
for step in range(40):
    loss = ((scale * net(x) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, loss.item())

# ask: explain loss
# ask: diagnose for step in range(400)
# cause: `net(x[i])` is (64,1) and `t[i]` is (64,): the difference broadcasts to (64,64), so every prediction is pulled to all targets (the mean).
# line: gap = net(x[i]) - t[i]
# line: loss = (gap.abs() + 0.1 * gap ** 2).mean()
# cure: `net(x[i]).squeeze(1) - t[i]`, `.squeeze(-1)`, `[:, 0]`, `- t[i].unsqueeze(1)`/`t[i][:, None]`, make `t` (n,1).
# harmful: bigger net / other lr; reshaping so that shapes still broadcast; summing over a dim.
import torch

torch.manual_seed(3)
n = 256
x = torch.randn(n, 4)
coef = torch.tensor([1.5, -2.0, 0.7, 3.0])
t = x @ coef + 0.5

net = torch.nn.Sequential(
    torch.nn.Linear(4, 32),
    torch.nn.Tanh(),
    torch.nn.Linear(32, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)

for step in range(400):
    i = torch.randint(0, n, (64,))
    gap = net(x[i]) - t[i]
    loss = (gap.abs() + 0.1 * gap ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, loss.item())

with torch.no_grad():
    p = net(x).reshape(-1)
    r2 = 1 - ((p - t) ** 2).sum() / ((t - t.mean()) ** 2).sum()
print("r2", round(r2.item(), 3))

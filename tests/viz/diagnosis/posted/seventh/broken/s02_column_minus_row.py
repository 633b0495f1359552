# ask: explain loss
# ask: diagnose for it in range(300)
# cause: `net(x)` is (N,1) and `y` is (N,), the difference broadcasts to (N,N), so the net learns the mean of y.
# line: loss = ((out - y) ** 2).mean()
# cure: `out.squeeze(1)` / `net(x).squeeze(-1)` or `y.unsqueeze(1)`.
# harmful: smaller lr, bigger net; `squeeze` nothing but `.sum()` instead of mean; expanding y to (N,N); unsqueezing BOTH.
import torch
from torch import nn

torch.manual_seed(1)
x = torch.linspace(-2, 2, 200).unsqueeze(1)
y = (x ** 2).squeeze(1) + 0.05 * torch.randn(200)

net = nn.Sequential(nn.Linear(1, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
optim = torch.optim.Adam(net.parameters(), lr=1e-2)

for it in range(300):
    out = net(x)
    loss = ((out - y) ** 2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    if it % 100 == 0:
        print(it, loss.item())
print("loss stays at", loss.item())

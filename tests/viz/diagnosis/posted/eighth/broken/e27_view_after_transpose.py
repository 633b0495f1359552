# ask: explain error
# ask: diagnose for step in range(4)
# cause: view after transpose is not contiguous.
# line: y = (w @ v).transpose(1, 2).view(b, t, d)
# cure: `.reshape` / `.contiguous().view`.
# harmful: dropping the transpose (silently wrong).
import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, d=12, h=3):
        super().__init__()
        self.h, self.qkv, self.o = h, nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (z.view(b, t, self.h, d // self.h).transpose(1, 2) for z in (q, k, v))
        w = torch.softmax(q @ k.transpose(-2, -1) / (d // self.h) ** 0.5, dim=-1)
        y = (w @ v).transpose(1, 2).view(b, t, d)
        return self.o(y)


torch.manual_seed(26)
net = Heads()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(4):
    x = torch.randn(5, 7, 12)
    loss = (net(x) - x.flip(1)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

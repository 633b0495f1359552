# ask: explain loss
# ask: diagnose for it in range(600)
# cause: attention weights are normalised over the batch (`dim=0`) rather than over the steps.
# line: w = torch.softmax(self.score(seq), dim=0)
# cure: `dim=1`/`dim=-2`.
# harmful: `dim=-1`/`dim=2` (size-1 dim: all weights 1); complaining about the sum after it.
import torch
import torch.nn as nn


class Pool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(d, 16), nn.Tanh(), nn.Linear(16, 1))
        self.out = nn.Linear(d, 1)

    def forward(self, seq):
        w = torch.softmax(self.score(seq), dim=0)
        return self.out((w * seq).sum(dim=1)).squeeze(-1)


def draw(b, t=6, d=4):
    seq = torch.randn(b, t, d)
    seq[:, :, 0] = 0.0
    pos = torch.randint(0, t, (b,))
    seq[torch.arange(b), pos, 0] = 1.0
    return seq, 2.0 * seq[torch.arange(b), pos, 1]


torch.manual_seed(11)
net = Pool(4)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(600):
    s, y = draw(32)
    loss = nn.functional.mse_loss(net(s), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 150 == 0:
        print(it, loss.item())

with torch.no_grad():
    s, y = draw(200)
    one = torch.cat([net(s[i:i + 1]) for i in range(200)])
    print("mse one by one", ((one - y) ** 2).mean().item(), "var", y.var().item())

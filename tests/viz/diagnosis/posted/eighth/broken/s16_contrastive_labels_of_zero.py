# ask: explain loss in train
# ask: diagnose for step in range(300)
# cause: in-batch contrastive loss with all targets 0, while the match of row i is column i.
# line: tgt = torch.zeros(sim.size(0), dtype=torch.long)
# line: return F.cross_entropy(sim, tgt)
# cure: `torch.arange(sim.size(0))`.
# harmful: temperature changes only; `torch.ones`; detaching one side.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, v):
        return F.normalize(self.f(v), dim=-1)


def nce(a, b, tau=0.2):
    sim = a @ b.T / tau
    tgt = torch.zeros(sim.size(0), dtype=torch.long)
    return F.cross_entropy(sim, tgt)


def pairs(n, mix1, mix2):
    z = torch.randn(n, 6)
    return z @ mix1 + 0.05 * torch.randn(n, 10), z @ mix2 + 0.05 * torch.randn(n, 12)


def train():
    torch.manual_seed(13)
    m1, m2 = torch.randn(6, 10), torch.randn(6, 12)
    left, right = Tower(10), Tower(12)
    opt = torch.optim.Adam([*left.parameters(), *right.parameters()], lr=3e-3)
    for step in range(300):
        p, q = pairs(64, m1, m2)
        loss = nce(left(p), right(q))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            print(step, loss.item())
    with torch.no_grad():
        p, q = pairs(100, m1, m2)
        hit = (left(p) @ right(q).T).argmax(1) == torch.arange(100)
    print("retrieval", hit.float().mean().item())


train()

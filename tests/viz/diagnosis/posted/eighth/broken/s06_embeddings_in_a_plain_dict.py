# ask: explain loss in main
# ask: diagnose for step in range(500)
# cause: embeddings sit in a plain dict, so they are not registered and `model.parameters()` (optimizer) lacks them; only `mix` is trained.
# line: self.tables = {
# line: "user": nn.Embedding(users, k),
# line: "item": nn.Embedding(items, k),
# line: }
# line: opt = torch.optim.Adam(model.parameters(), lr=0.02)
# cure: `nn.ModuleDict({...})`; assign as attributes; add their parameters to the optimizer.
# harmful: larger k / lr only.
import torch
from torch import nn


class Taste(nn.Module):
    def __init__(self, users, items, k=8):
        super().__init__()
        self.tables = {
            "user": nn.Embedding(users, k),
            "item": nn.Embedding(items, k),
        }
        self.mix = nn.Linear(k, 1)

    def forward(self, u, i):
        h = self.tables["user"](u) * self.tables["item"](i)
        return self.mix(h).squeeze(1)


def world(users=30, items=40):
    g = torch.Generator().manual_seed(5)
    p = torch.randn(users, 2, generator=g)
    q = torch.randn(items, 2, generator=g)
    return p @ q.T


def main():
    torch.manual_seed(5)
    grid = world()
    model = Taste(30, 40)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for step in range(500):
        u = torch.randint(0, 30, (128,))
        i = torch.randint(0, 40, (128,))
        loss = ((model(u, i) - grid[u, i]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(step, round(loss.item(), 3))
    uu = torch.arange(30).repeat_interleave(40)
    ii = torch.arange(40).repeat(30)
    err = ((model(uu, ii) - grid.reshape(-1)) ** 2).mean().item()
    print("mse", round(err, 3), "var", round(grid.var().item(), 3))


main()

# ask: explain total in train
# ask: diagnose for epoch in range(200)
# cause: losses are turned into numbers (`.item()`) and put in a new tensor with requires_grad=True: backward succeeds but no parameter gets a gradient.
# line: total = torch.tensor([l.item() for l in losses(model, parts, crit)], requires_grad=True).mean()
# cure: `torch.stack(list(losses(...))).mean()`, `sum(losses(...)) / 3`.
# harmful: only removing requires_grad=True (then it raises); `.requires_grad_()`; raising lr.
import torch
import torch.nn as nn


def losses(model, parts, crit):
    for xs, ys in parts:
        yield crit(model(xs), ys)


def train():
    torch.manual_seed(12)
    x = torch.randn(300, 7)
    y = torch.sin(x[:, :1]) + x[:, 1:2]
    parts = [(x[i:i + 100], y[i:i + 100]) for i in range(0, 300, 100)]
    model = nn.Sequential(nn.Linear(7, 30), nn.Tanh(), nn.Linear(30, 1))
    crit = nn.MSELoss()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(200):
        total = torch.tensor([l.item() for l in losses(model, parts, crit)], requires_grad=True).mean()
        opt.zero_grad()
        total.backward()
        opt.step()
        if epoch % 50 == 0:
            print(epoch, total.item())
    print("mse", crit(model(x), y).item(), "var", y.var().item())


train()

# ask: explain loss in main
# ask: diagnose for epoch in range(150)
# cause: `keep = model.state_dict()` holds references, not a copy: at the end the last (overfitted) weights are "restored" rather than the best.
# line: keep = model.state_dict()
# line: model.load_state_dict(keep)
# cure: `copy.deepcopy(model.state_dict())`, `{k: v.clone() ...}`, torch.save/load.
# harmful: removing `load_state_dict`; claiming the training step is wrong; `.copy()` (shallow).
import torch
import torch.nn as nn
import torch.nn.functional as F


def make(seed, n):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 20, generator=g)
    y = (x[:, 0] + x[:, 1] > 0).long()
    flip = torch.rand(n, generator=g) < 0.25
    return x, torch.where(flip, 1 - y, y)


def score(model, x, y):
    model.eval()
    with torch.no_grad():
        v = F.cross_entropy(model(x), y).item()
    model.train()
    return v


def main():
    torch.manual_seed(0)
    xa, ya = make(1, 80)
    xb, yb = make(2, 400)
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    best, keep = float("inf"), None
    for epoch in range(150):
        loss = F.cross_entropy(model(xa), ya)
        opt.zero_grad()
        loss.backward()
        opt.step()
        v = score(model, xb, yb)
        if v < best:
            best = v
            keep = model.state_dict()
    model.load_state_dict(keep)
    print("best val", round(best, 3), "restored val", round(score(model, xb, yb), 3))


main()

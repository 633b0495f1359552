# ask: explain loss in main
# ask: diagnose for step in range(300)
# cause: `net.body.requires_grad = False` sets an attribute on a module; the parameters are still trained, so the old task is forgotten.
# line: net.body.requires_grad = False
# line: opt = torch.optim.Adam(list(net.body.parameters()) + list(net.new.parameters()), lr=2e-2)
# cure: `requires_grad_(False)`; loop over `parameters()`; leave body out of the optimizer.
# harmful: `net.body.eval()` as freezing; saying that the body "is frozen" and must be unfrozen.
import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.old = nn.Linear(16, 2)
        self.new = nn.Linear(16, 3)


def fit(net, head, x, y, params, rounds, lr):
    opt = torch.optim.Adam(params, lr=lr)
    for _ in range(rounds):
        loss = nn.functional.cross_entropy(head(net.body(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def acc(net, head, x, y):
    with torch.no_grad():
        return (head(net.body(x)).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(8)
    x = torch.randn(400, 5)
    ya = (x[:, 0] * x[:, 1] > 0).long()
    yb = (x[:, 0] > 0).long() + (x[:, 2] > 0.5).long()
    net = Two()
    fit(net, net.old, x, ya, net.parameters(), 300, 1e-2)
    before = acc(net, net.old, x, ya)

    net.body.requires_grad = False
    opt = torch.optim.Adam(list(net.body.parameters()) + list(net.new.parameters()), lr=2e-2)
    for step in range(300):
        loss = nn.functional.cross_entropy(net.new(net.body(x)), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("first task before", before, "after", acc(net, net.old, x, ya), "second", acc(net, net.new, x, yb))


main()

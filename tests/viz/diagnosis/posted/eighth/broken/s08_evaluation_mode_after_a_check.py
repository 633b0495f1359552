# ask: explain loss in epoch
# ask: diagnose for e in range(60)
# cause: `check()` puts the net in eval mode and nothing puts it back: BatchNorm then uses its untouched running statistics (0/1) on inputs of ~300, training blows up (and dropout is off).
# line: self.net.eval()
# line: def check(self):
# line: with torch.no_grad():
# line: return (self.net(self.x[400:]).argmax(1) == self.y[400:]).float().mean().item()
# line: def epoch(self):
# line: net.train()
# line: print("start", run.check())
# cure: `self.net.train()` at start of `epoch()` or at the end of `check()`. Normalising x by hand = partial.
# harmful: removing BatchNorm; track_running_stats tricks; only lowering lr.
from dataclasses import dataclass
import torch
import torch.nn as nn


@dataclass
class Run:
    net: nn.Module
    opt: torch.optim.Optimizer
    x: torch.Tensor
    y: torch.Tensor

    def check(self):
        self.net.eval()
        with torch.no_grad():
            return (self.net(self.x[400:]).argmax(1) == self.y[400:]).float().mean().item()

    def epoch(self):
        for k in range(0, 400, 40):
            self.opt.zero_grad()
            loss = nn.functional.cross_entropy(self.net(self.x[k:k + 40]), self.y[k:k + 40])
            loss.backward()
            self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(4)
    z = torch.randn(500, 6)
    y = (z[:, 0] * z[:, 1] > 0).long()
    x = z * 40 + 300
    net = nn.Sequential(nn.BatchNorm1d(6), nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2))
    run = Run(net, torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9), x, y)
    net.train()
    print("start", run.check())
    for e in range(60):
        last = run.epoch()
        if e % 10 == 0:
            print(e, round(last, 3), run.check())
    print("acc", run.check())


main()

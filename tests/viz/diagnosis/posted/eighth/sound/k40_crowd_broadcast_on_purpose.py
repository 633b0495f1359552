# ask: explain loss in main
# ask: diagnose for a, b in batches(x, y, 64, 60)
# cause: sound; what looks suspicious and is meant: (5, 64, 1) against (64, 1) broadcasts on purpose.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Crowd(nn.Module):
    def __init__(self, k, d, h):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(k, d, h) / d ** 0.5)
        self.b1 = nn.Parameter(torch.zeros(k, 1, h))
        self.w2 = nn.Parameter(torch.randn(k, h, 1) / h ** 0.5)

    def forward(self, x):
        return torch.relu(x @ self.w1 + self.b1) @ self.w2


def batches(x, y, size, rounds):
    for _ in range(rounds):
        for part in torch.randperm(len(x)).split(size):
            yield x[part], y[part]


def main():
    torch.manual_seed(39)
    x = torch.randn(256, 3)
    y = x[:, :1].abs() - x[:, 1:2]
    crowd = Crowd(5, 3, 24)
    opt = torch.optim.Adam(crowd.parameters(), lr=1e-2)
    for a, b in batches(x, y, 64, 60):
        loss = (crowd(a) - b).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("mse", (crowd(x).mean(0) - y).square().mean().item(), "var", y.var().item())


main()

# ask: explain error
# ask: diagnose main()
# cause: layers in a plain list: no parameters.
# line: opt = torch.optim.Adam(cols.parameters(), lr=0.01)
# line: self.parts = [nn.Linear(2, 1) for _ in range(many)]
# cure: nn.ModuleList.
# harmful: dummy parameter; pass params of first only.
import torch
from torch import nn


class Columns(nn.Module):
    def __init__(self, many):
        super().__init__()
        self.parts = [nn.Linear(2, 1) for _ in range(many)]

    def forward(self, x):
        return torch.cat([p(x) for p in self.parts], dim=1)


def main():
    torch.manual_seed(21)
    cols = Columns(4)
    opt = torch.optim.Adam(cols.parameters(), lr=0.01)
    for step in range(10):
        x = torch.randn(16, 2)
        loss = (cols(x) - x[:, :1]).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()

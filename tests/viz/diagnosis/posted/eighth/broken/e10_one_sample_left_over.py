# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: the last batch has one sample (129 = 8*16 + 1): BatchNorm in training mode.
# line: loss = ((net(a) - b) ** 2).mean()
# line: feed = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
# line: return nn.Sequential(nn.Linear(5, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Linear(20, 1))
# cure: `drop_last=True`, other batch size, GroupNorm/LayerNorm.
# harmful: `net.eval()` for training; `momentum`/`track_running_stats` changes.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    return nn.Sequential(nn.Linear(5, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Linear(20, 1))


def main():
    torch.manual_seed(9)
    x = torch.randn(129, 5)
    y = x[:, :1] * 2
    feed = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    net = build()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(3):
        for a, b in feed:
            loss = ((net(a) - b) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


main()

# ask: explain net[0].weight in train
# ask: diagnose for epoch in range(12)
# cause: sound; what looks suspicious and is meant: one step for four batches.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train():
    torch.manual_seed(1)
    x = torch.randn(256, 6)
    y = (x[:, 0] + x[:, 1] > 0).long()
    dl = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    hold = 4
    opt.zero_grad()
    for epoch in range(12):
        for k, (a, b) in enumerate(dl, 1):
            (nn.functional.cross_entropy(net(a), b) / hold).backward()
            if k % hold == 0 or k == len(dl):
                opt.step()
                opt.zero_grad()
    print("acc", (net(x).argmax(1) == y).float().mean().item())


train()

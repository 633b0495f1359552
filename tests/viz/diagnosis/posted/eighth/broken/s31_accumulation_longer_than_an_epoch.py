# ask: explain loss in train
# ask: diagnose for epoch in range(cfg.epochs)
# cause: 10 batches per epoch but accumulate = 16 with a counter that restarts each epoch: `opt.step()` is never reached.
# line: if (i + 1) % cfg.accumulate == 0:
# line: accumulate = 16
# line: for i, (a, b) in enumerate(loader):
# line: opt.step()
# cure: accumulate <= number of batches; `or i + 1 == len(loader)`; counter that runs over epochs (with the first zero_grad removed).
# harmful: lr; stepping each batch while still dividing is acceptable, though not harmful; removing `zero_grad` only.
from torch.utils.data import DataLoader, TensorDataset
import torch
import torch.nn as nn


class Config:
    batch = 32
    accumulate = 16
    lr = 1e-2
    epochs = 60


def train(cfg):
    torch.manual_seed(28)
    x = torch.randn(320, 4)
    y = (x ** 2).sum(1, keepdim=True)
    loader = DataLoader(TensorDataset(x, y), batch_size=cfg.batch, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 1))
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        opt.zero_grad()
        for i, (a, b) in enumerate(loader):
            loss = nn.functional.mse_loss(net(a), b) / cfg.accumulate
            loss.backward()
            if (i + 1) % cfg.accumulate == 0:
                opt.step()
                opt.zero_grad()
        if epoch % 10 == 0:
            print(epoch, loss.item() * cfg.accumulate)
    print("mse", nn.functional.mse_loss(net(x), y).item(), "var", y.var().item())


train(Config)

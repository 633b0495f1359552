# ask: explain loss in fit
# ask: diagnose for e in range(epochs)
# cause: zero_grad stands between backward and step: every step uses no gradients.
# line: self.opt.zero_grad()
# line: loss.backward()
# line: self.opt.step()
# cure: move zero_grad before backward or after step.
# harmful: removing zero_grad; raising lr.
import torch
from torch import nn


class Trainer:
    def __init__(self, net, lr):
        self.net = net
        self.loss_fn = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)

    def update(self, loss):
        loss.backward()
        self.opt.zero_grad()
        self.opt.step()

    def fit(self, x, y, epochs):
        for e in range(epochs):
            for part in torch.randperm(len(x)).split(64):
                loss = self.loss_fn(self.net(x[part]), y[part])
                self.update(loss)
            if e % 10 == 0:
                print(e, loss.item())


def train():
    torch.manual_seed(23)
    x = torch.randn(512, 2)
    y = (x.norm(dim=1) > 1.18).long()
    tr = Trainer(nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2)), 1e-2)
    tr.fit(x, y, 40)
    print("acc", (tr.net(x).argmax(1) == y).float().mean().item())


train()

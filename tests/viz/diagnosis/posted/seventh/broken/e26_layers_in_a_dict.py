# ask: explain error
# ask: diagnose optimizer = optim.SGD(net.parameters(), lr=0.05)
# cause: the layers are kept in a dict (not ModuleDict): the model has no parameters, the optimizer gets an empty list.
# line: self.layers = {"in": nn.Linear(5, 20), "out": nn.Linear(20, 1)}
# cure: `nn.ModuleDict`.
# harmful: a dummy parameter to get past the error.
import torch
from torch import nn, optim


class DictNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {"in": nn.Linear(5, 20), "out": nn.Linear(20, 1)}

    def forward(self, x):
        return self.layers["out"](torch.relu(self.layers["in"](x)))


torch.manual_seed(25)
net = DictNet()
optimizer = optim.SGD(net.parameters(), lr=0.05)
x = torch.randn(30, 5)
y = x[:, :1] ** 2

for _ in range(20):
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# question: After the first big update the network outputs the same number for every input and stays there.
# ask: explain w_in
# ask: diagnose step
# cause: dead ReLU: the hidden biases are so negative that no unit is ever active, so no gradient passes
# line: net.fc_in.bias.data.fill_(-20.0) || h = torch.relu(self.fc_in(x))
# cure: start the bias at 0 (or slightly positive) || use LeakyReLU
# harmful: raise the learning rate
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc_in = nn.Linear(4, 12)
        self.fc_out = nn.Linear(12, 1)

    def forward(self, x):
        h = torch.relu(self.fc_in(x))
        return self.fc_out(h)


torch.manual_seed(10)
net = Net()
net.fc_in.bias.data.fill_(-20.0)
w_in = net.fc_in.weight
x = torch.randn(32, 4)
y = x[:, :1] - x[:, 1:2]
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


def step():
    out = net(x)
    loss = (out - y).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()

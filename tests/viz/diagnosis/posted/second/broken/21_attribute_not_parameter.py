# question: My own linear layer has a gradient for its weight but after training the weight has its first value; only the bias was trained.
# ask: explain weight
# ask: diagnose step
# cause: self.weight is a plain tensor, not an nn.Parameter, so parameters() and the optimizer do not know it
# line: self.weight = torch.randn(n_out, n_in, requires_grad=True)
# cure: wrap it in nn.Parameter
# harmful: raise the learning rate
import torch
from torch import nn


class MyLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = torch.randn(n_out, n_in, requires_grad=True)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return x @ self.weight.t() + self.bias


torch.manual_seed(21)
mine = MyLinear(3, 2)
weight = mine.weight
x = torch.randn(25, 3)
y = x[:, :2] * 2
sgd = torch.optim.SGD(mine.parameters(), lr=0.1)


def step():
    sgd.zero_grad()
    loss = torch.mean((mine(x) - y) ** 2)
    loss.backward()
    sgd.step()
    return loss


for _ in range(20):
    loss = step()

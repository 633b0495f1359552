# question: The attention weights of one word do not sum to 1, the context vectors have odd sizes and it trains badly.
# ask: explain loss
# ask: diagnose step
# cause: the softmax runs over dim 1, the queries, where it should run over the keys (dim -1)
# line: weights = torch.softmax(scores, dim=1)
# cure: dim=-1
# harmful: remove the scaling
import torch
from torch import nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        weights = torch.softmax(scores, dim=1)
        return weights @ v


torch.manual_seed(12)
net = nn.Sequential(Attention(6), nn.Flatten(), nn.Linear(30, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(12, 5, 6)
y = x[:, 0, :1]


def step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

# question: The softmax runs over the keys.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
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
        return torch.softmax(scores, dim=-1) @ v


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

# question: Padding is masked with -inf, each row keeps at least one key.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(9)
q, k, v = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1)
opt = torch.optim.Adam([*q.parameters(), *k.parameters(), *v.parameters()], lr=0.01)
x = torch.randn(3, 5, 4)
pad = torch.arange(5)[None, :] >= torch.tensor([5, 2, 1])[:, None]
goal = x[:, 0].sum(1, keepdim=True)


def step():
    scores = q(x) @ k(x).transpose(1, 2)
    scores = scores.masked_fill(pad.unsqueeze(1), float("-inf"))
    out = torch.softmax(scores, -1) @ v(x)
    loss = F.mse_loss(out[:, 0], goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()

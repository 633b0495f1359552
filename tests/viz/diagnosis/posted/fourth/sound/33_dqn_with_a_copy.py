# question: The target is a copy of the prediction with one number replaced in each row.
# ask: explain loss
# ask: diagnose learn
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(33)
qnet = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(qnet.parameters(), lr=1e-2)
s, s2 = torch.randn(32, 4), torch.randn(32, 4)
action = torch.randint(0, 2, (32,))
reward = torch.rand(32)


def learn():
    q = qnet(s)
    with torch.no_grad():
        best = reward + 0.9 * qnet(s2).max(1).values
    target = q.detach().clone()
    target[torch.arange(32), action] = best
    loss = F.mse_loss(q, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(10):
    loss = learn()

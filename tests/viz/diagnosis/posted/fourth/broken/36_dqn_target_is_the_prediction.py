# question: DQN: my loss is 0.0 in each update and the agent learns nothing.
# ask: explain loss
# ask: diagnose learn
# cause: target = q is the same tensor, not a copy; the assignment changes the prediction too and the difference is 0
# line: target = q
# cure: target = q.detach().clone()
# harmful: larger rate; retain_graph
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(36)
qnet = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(qnet.parameters(), lr=1e-2)
s, s2 = torch.randn(32, 4), torch.randn(32, 4)
action = torch.randint(0, 2, (32,))
reward = torch.rand(32)


def learn():
    q = qnet(s)
    with torch.no_grad():
        best = reward + 0.9 * qnet(s2).max(1).values
    target = q
    target[torch.arange(32), action] = best
    loss = F.mse_loss(q, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(10):
    loss = learn()

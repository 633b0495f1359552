# question: My DQN's Q values never change, although the loss is not zero and the optimizer steps.
# ask: explain q_weight
# ask: diagnose step
# cause: the online Q value is detached and the target net's value is not: the gradient goes to the target net, which the optimizer does not hold
# line: loss = F.smooth_l1_loss(q.detach(), target)
# cure: detach the target instead: F.smooth_l1_loss(q, target.detach())
# harmful: give the target net to the optimizer
import torch
from torch import nn
import torch.nn.functional as F
import copy

torch.manual_seed(28)
online = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
frozen = copy.deepcopy(online)
q_weight = online[2].weight
optimizer = torch.optim.RMSprop(online.parameters(), lr=1e-2)
state, following = torch.randn(32, 4), torch.randn(32, 4)
action = torch.randint(0, 2, (32, 1))
reward = torch.randn(32, 1)


def step():
    q = online(state).gather(1, action)
    target = reward + 0.9 * frozen(following).max(1, keepdim=True)[0]
    loss = F.smooth_l1_loss(q.detach(), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for _ in range(20):
    loss = step()

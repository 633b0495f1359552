# question: The target network of my DQN never has gradients, is that a fault?
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
q_net, target_net = nn.Linear(4, 2), nn.Linear(4, 2)
target_net.load_state_dict(q_net.state_dict())
opt = torch.optim.Adam(q_net.parameters(), lr=0.05)
s0, s1 = torch.randn(50, 4), torch.randn(50, 4)
act = torch.randint(0, 2, (50,))
rew = s0[:, 0] * 2


def step():
    q = q_net(s0).gather(1, act[:, None]).squeeze(1)
    with torch.no_grad():
        target = rew + 0.5 * target_net(s1).max(1)[0]
    loss = F.smooth_l1_loss(q, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()

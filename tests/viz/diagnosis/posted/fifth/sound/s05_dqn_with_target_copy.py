# ask: explain loss
# ask: diagnose for step in range(100)
# cause: a DQN step with a frozen target network copied every 10 steps, targets under no_grad.
# good: nothing found.
# harmful: train the target network.
import copy
import torch
from torch import nn
torch.manual_seed(4)
q = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
q_target = copy.deepcopy(q)
for p in q_target.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
for step in range(100):
    s, s2 = torch.randn(32, 4), torch.randn(32, 4)
    a = torch.randint(0, 2, (32, 1))
    r = (s[:, :1] > 0).float() * (a == 1).float()
    done = (torch.rand(32, 1) < 0.1).float()
    with torch.no_grad():
        best = q_target(s2).max(1, keepdim=True)[0]
        target = r + 0.9 * best * (1 - done)
    loss = nn.functional.smooth_l1_loss(q(s).gather(1, a), target)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(q.parameters(), 10.0)
    opt.step()
    if step % 10 == 0:
        q_target.load_state_dict(q.state_dict())
print("loss", loss.item())

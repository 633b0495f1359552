# ask: explain loss_p
# ask: diagnose for it in range(100)
# cause: REINFORCE with -log_prob * advantage, advantage detached.
# good: nothing found.
# harmful: remove detach, flip sign.
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(7)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
value = nn.Linear(4, 1)
opt_p = torch.optim.Adam(policy.parameters(), lr=1e-2)
opt_v = torch.optim.Adam(value.parameters(), lr=1e-2)
for it in range(100):
    s = torch.randn(64, 4)
    dist = Categorical(logits=policy(s))
    a = dist.sample()
    r = (a == s[:, :3].argmax(1)).float()
    v = value(s).squeeze(1)
    adv = r - v.detach()
    loss_p = -(dist.log_prob(a) * adv).mean() - 0.01 * dist.entropy().mean()
    loss_v = (v - r).pow(2).mean()
    opt_p.zero_grad()
    loss_p.backward()
    opt_p.step()
    opt_v.zero_grad()
    loss_v.backward()
    opt_v.step()
print("reward", r.mean().item())

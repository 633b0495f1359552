# ask: explain loss
# ask: diagnose for episode in range(400)
# cause: sound; what looks suspicious and is meant: the reward has no gradient.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(6)
policy = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 4))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
baseline = 0.0
for episode in range(400):
    s = torch.randn(32, 3)
    right = (s[:, 0] > 0).long() + 2 * (s[:, 1] > 0).long()
    d = Categorical(logits=policy(s))
    a = d.sample()
    reward = (a == right).float()
    baseline = 0.9 * baseline + 0.1 * reward.mean().item()
    loss = -(d.log_prob(a) * (reward - baseline)).mean() - 0.01 * d.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
s = torch.randn(500, 3)
print("greedy", (policy(s).argmax(1) == (s[:, 0] > 0).long() + 2 * (s[:, 1] > 0).long()).float().mean().item())

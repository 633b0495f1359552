# ask: explain loss
# ask: diagnose for episode in range(250)
# cause: REINFORCE with running baseline, reward is data (no graph); the surrogate loss need not fall, the reward rises (metric).
# good: nothing found.
# harmful: flip the sign.
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(23)
policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
baseline, rewards_seen = 0.0, []

for episode in range(250):
    obs = torch.randn(32, 6)
    pi = Categorical(logits=policy(obs))
    action = pi.sample()
    reward = (action == obs[:, :3].argmax(dim=1)).float()
    loss = -(pi.log_prob(action) * (reward - baseline)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    baseline = 0.9 * baseline + 0.1 * reward.mean().item()
    rewards_seen.append(reward.mean().item())
print(sum(rewards_seen[:20]) / 20, sum(rewards_seen[-20:]) / 20)

# ask: explain loss
# ask: diagnose for episode in range(150)
# cause: the policy-gradient loss lacks the minus sign: minimising log_prob * reward makes rewarded actions less likely.
# line: loss = (dist.log_prob(actions) * rewards).mean()
# good: a sign: use -log_prob * reward.
# harmful: detach the log_prob; use no_grad.
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(5)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(150):
    states = torch.randn(32, 4)
    dist = Categorical(logits=policy(states))
    actions = dist.sample()
    rewards = (actions == states[:, :3].argmax(1)).float()
    loss = (dist.log_prob(actions) * rewards).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", loss.item(), "reward", rewards.mean().item())

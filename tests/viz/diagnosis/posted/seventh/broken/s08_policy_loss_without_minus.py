# ask: explain loss
# ask: diagnose for episode in range(150)
# cause: REINFORCE without the minus sign: the loss descends on log p * reward, so the good arms are made LESS likely.
# line: loss = (dist.log_prob(a) * (r - r.mean())).mean()
# cure: put a minus before it (or maximize=True).
# harmful: only changing lr; dropping the baseline; taking abs; backprop through the reward.
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(7)
true_means = torch.tensor([0.1, 0.9, 0.3, 0.5])
policy = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
state = torch.ones(64, 1)
avg = []

for episode in range(150):
    dist = Categorical(logits=policy(state))
    a = dist.sample()
    r = torch.bernoulli(true_means[a])
    loss = (dist.log_prob(a) * (r - r.mean())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    avg.append(r.mean().item())
print("mean reward, first and last 20:", sum(avg[:20]) / 20, sum(avg[-20:]) / 20)

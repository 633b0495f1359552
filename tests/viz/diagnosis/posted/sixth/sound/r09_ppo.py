# ask: explain loss
# ask: diagnose for rollout in range(10)
# cause: PPO with the clipped ratio, several epochs over a rollout with detached old log-probs.
# good: nothing found.
# harmful: any.
import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(8)
mean = nn.Linear(3, 1)
log_std = nn.Parameter(torch.zeros(1))
opt = torch.optim.Adam([*mean.parameters(), log_std], lr=1e-2)
for rollout in range(10):
    s = torch.randn(64, 3)
    with torch.no_grad():
        d0 = Normal(mean(s), log_std.exp())
        a = d0.sample()
        old = d0.log_prob(a).sum(1)
    r = -(a[:, 0] - s[:, 0]).pow(2)
    adv = (r - r.mean()) / (r.std() + 1e-8)
    for epoch in range(4):
        d1 = Normal(mean(s), log_std.exp())
        ratio = (d1.log_prob(a).sum(1) - old).exp()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
print("loss", loss.item(), "r", r.mean().item())

# ask: explain loss
# ask: diagnose for it in range(250)
# cause: actor-critic, advantage detached in the actor's loss, entropy bonus; metric: reward rises.
# good: nothing found.
# harmful: drop detach.
import torch
import torch.nn as nn
from torch.distributions import Categorical


class AC(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


torch.manual_seed(35)
agent = AC()
opt = torch.optim.Adam(agent.parameters(), lr=5e-3)
rewards = []

for it in range(250):
    s = torch.randn(64, 5)
    pi, v = agent(s)
    a = pi.sample()
    r = (a == s[:, :3].argmax(1)).float() + 0.5 * s[:, 4]
    adv = r - v
    pg = -(pi.log_prob(a) * adv.detach()).mean()
    loss = pg + 0.5 * adv.pow(2).mean() - 0.005 * pi.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    rewards.append(r.mean().item())
print(sum(rewards[:20]) / 20, sum(rewards[-20:]) / 20)
